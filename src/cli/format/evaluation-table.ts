import { Chalk } from 'chalk';
import Table from 'cli-table3';
import type { ModelUsed } from '../../domain/detection.ts';
import type { DamageScore } from '../../vision/evaluate/damage-score.ts';

type Shown = DamageScore & {
  readonly models: readonly ModelUsed[];
  readonly sensitivity: string;
  readonly failures: readonly unknown[];
  readonly partial: boolean;
};

/** The figures of the damage model as people read them. */
export function damageScoreTable(score: Shown, colour: 0 | 1 | 2 | 3): string {
  const chalk = new Chalk({ level: colour });
  const model = score.models.find(({ id }) => id === 'damage');
  const table = new Table({
    head: [
      'class',
      'boxes',
      'AP50',
      'AP50:95',
      'threshold',
      'precision',
      'recall',
      'findings',
      'clean alarms',
    ].map((word) => chalk.bold(word)),
    style: { head: [], border: [], compact: true },
    colAligns: ['left', ...Array<'right'>(8).fill('right')],
  });
  for (const [name, row] of Object.entries(score.classes)) {
    table.push([
      name,
      row.boxes,
      figure(row.ap50),
      figure(row.ap50To95),
      figure(row.threshold),
      figure(row.precision),
      figure(row.recall),
      row.findings,
      percent(row.cleanPhotosWithAlarm),
    ]);
  }
  table.push([
    chalk.bold('all'),
    '',
    figure(score.meanAp50),
    figure(score.meanAp50To95),
    '',
    figure(score.precision),
    figure(score.recall),
    '',
    percent(score.clean.withAlarm),
  ]);
  const lines = [
    `${chalk.bold(`${model?.name} ${model?.version} ${model?.precision}`)}  ${score.photos} photos, sensitivity ${score.sensitivity}${score.partial ? chalk.yellow('  partial: interrupted') : ''}`,
    table.toString(),
    `${score.clean.photos} photos without damage: ${percent(score.clean.withAlarm)} with a false alarm, ${figure(score.clean.alarmsPerPhoto)} alarms a photo`,
    `Calibration error ${figure(score.calibration.error)} over ${score.calibration.findings} findings:`,
    ...score.calibration.bins.map(
      ({ from, to, count, said, right }) =>
        `  said ${percent(from)} to ${percent(to)}: ${figure(said)} on average, ${figure(right)} right (${count})`,
    ),
    'There, and what was said:',
    ...Object.entries(score.confusion).map(([there, row]) => `  ${there}: ${rowText(row)}`),
  ];
  if (score.failures.length > 0)
    lines.push(chalk.yellow(`${score.failures.length} photos could not be judged`));
  return `${lines.join('\n')}\n`;
}

function rowText(row: Readonly<Record<string, number>>): string {
  const cells = Object.entries(row).sort(([, a], [, b]) => b - a);
  return cells.map(([said, count]) => `${said} ${count}`).join(', ');
}

function figure(value: number | null): string {
  return value === null ? '–' : value.toFixed(3);
}

function percent(value: number | null): string {
  return value === null ? '–' : `${(100 * value).toFixed(1)} %`;
}
