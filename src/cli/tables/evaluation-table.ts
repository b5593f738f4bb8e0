import { Chalk, type ChalkInstance } from 'chalk';
import Table from 'cli-table3';
import type { ModelUsed } from '../../domain/sight/detection.ts';
import type { DamageScore } from '../../evaluate/damage-score.ts';
import type { PartsScore } from '../../evaluate/parts-score.ts';
import { type PlateCounts, type PlatesScore, WHOLE_SHARE } from '../../evaluate/plates-score.ts';

/** How the figures came about. */
export interface EvaluationFacts {
  readonly models: readonly ModelUsed[];
  readonly sensitivity: string;
  readonly partial: boolean;
}

type ColourLevel = 0 | 1 | 2 | 3;

/** The figures of a model as people read them. */
export function evaluationText(
  facts: EvaluationFacts,
  score: DamageScore | PartsScore | PlatesScore,
  colour: ColourLevel,
): string {
  const chalk = new Chalk({ level: colour });
  const { id, lines } = linesOf(score, chalk);
  const model = facts.models.find((one) => one.id === id);
  const title = chalk.bold(`${model?.name} ${model?.version} ${model?.precision}`);
  const partial = facts.partial ? chalk.yellow('  partial: interrupted') : '';
  const at = id === 'damage' ? `, sensitivity ${facts.sensitivity}` : '';
  return `${[`${title}  ${score.photos} photos${at}${partial}`, ...lines].join('\n')}\n`;
}

function linesOf(score: DamageScore | PartsScore | PlatesScore, chalk: ChalkInstance) {
  if ('classes' in score) return { id: 'damage', lines: damageLines(score, chalk) };
  if ('iou' in score) return { id: 'parts', lines: partsLines(score, chalk) };
  return { id: 'plates', lines: platesLines(score, chalk) };
}

function platesLines(score: PlatesScore, chalk: ChalkInstance): string[] {
  const table = new Table({
    head: ['width of the plate', 'plates', 'blurred whole', 'in part', 'missed', 'recall'].map((word) =>
      chalk.bold(word),
    ),
    style: { head: [], border: [], compact: true },
    colAligns: ['left', ...Array<'right'>(5).fill('right')],
  });
  const cells = ({ plates, whole, inPart, missed, recall }: PlateCounts) => [
    plates,
    whole,
    inPart,
    missed,
    figure(recall),
  ];
  for (const row of score.byWidth)
    table.push([row.to < 1 ? `up to ${(100 * row.to).toFixed(0)} % of the photo` : 'more', ...cells(row)]);
  table.push([chalk.bold('all'), ...cells(score.all)]);
  return [
    table.toString(),
    `Blurred whole: at least ${(100 * WHOLE_SHARE).toFixed(0)} % of the plate's box`,
    `${score.photosSafe} of ${score.photosWithPlate} photos with a plate have all their plates blurred whole`,
    `${score.photosWithFalseBlur} of ${score.photos} photos have something else blurred (${score.falseBlurs} regions)`,
    `${percent(score.blurredWithoutNeed)} of a photo is blurred without need, on average`,
  ];
}

function partsLines(score: PartsScore, chalk: ChalkInstance): string[] {
  const table = new Table({
    head: ['part', 'IoU', 'side right'].map((word) => chalk.bold(word)),
    style: { head: [], border: [], compact: true },
    colAligns: ['left', 'right', 'right'],
  });
  for (const [part, iou] of Object.entries(score.iou)) {
    const side = score.sideAccuracyByPart[part.replace(/_(left|right)$/, '')];
    table.push([part, figure(iou), side === undefined || !/_(left|right)$/.test(part) ? '' : figure(side)]);
  }
  table.push([chalk.bold('all'), figure(score.meanIou), figure(score.sideAccuracy)]);
  return [table.toString(), `${score.sidePieces} pieces of sided parts were found and asked for their side`];
}

function damageLines(score: DamageScore, chalk: ChalkInstance): string[] {
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
  return [
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
