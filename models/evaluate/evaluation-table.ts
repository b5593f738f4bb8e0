import { Chalk, type ChalkInstance, type ColorSupportLevel } from 'chalk';
import type { ModelUsed } from '../../src/domain/model-used.ts';
import { formatCount } from '../../src/lib/format-count.ts';
import { ABSENT } from '../../src/report/figures.ts';
import { renderPlainTable } from '../../src/report/text/plain-table.ts';
import { foldLines } from '../../src/report/text/terminal-lines.ts';
import type { DamageScore } from './damage-score.ts';

/** Conditions of the evaluation. */
interface EvaluationFacts {
  readonly models: readonly ModelUsed[];
  readonly partial: boolean;
}

/** Renders the evaluation of the damage model as text. */
export function renderEvaluationText(
  facts: EvaluationFacts,
  score: DamageScore,
  color: ColorSupportLevel,
  columns: number,
): string {
  const chalk = new Chalk({ level: color });
  return renderMeasured(facts, score.photos, 'damage', renderDamage(score, chalk, columns), chalk, columns);
}

/** Renders a title with model and photo count, followed by lines. */
export function renderMeasured(
  { models, partial }: EvaluationFacts,
  photos: number,
  id: string,
  lines: readonly string[],
  chalk: ChalkInstance,
  columns: number,
): string {
  const model = models.find((one) => one.id === id);
  const title = chalk.bold(`${model?.name} ${model?.version} ${model?.precision}`);
  const ended = partial ? chalk.yellow('  partial: interrupted') : '';
  return `${foldLines([`${title}  ${formatCount(photos, 'photo')}${ended}`, ...lines].join('\n'), columns)}\n`;
}

function renderDamage(score: DamageScore, chalk: ChalkInstance, columns: number): string[] {
  const head = [
    'class',
    'boxes',
    'AP50',
    'AP50:95',
    'precision',
    'recall',
    'findings',
    'clean photos with an alarm',
  ];
  const rows = Object.entries(score.classes).map(([name, row]) => [
    name,
    String(row.boxes),
    ...[row.ap50, row.ap50To95, row.precision, row.recall].map(formatMeasuredShare),
    String(row.findings),
    formatMeasuredPercent(row.cleanPhotosWithAlarm),
  ]);
  const all = [
    chalk.bold('all'),
    '',
    formatMeasuredShare(score.meanAp50),
    formatMeasuredShare(score.meanAp50To95),
    formatMeasuredShare(score.precision),
    formatMeasuredShare(score.recall),
    '',
    formatMeasuredPercent(score.clean.withAlarm),
  ];
  const table = renderRows(head, [...rows, all], chalk, columns);
  return [
    table,
    `${formatCount(score.clean.photos, 'photo')} without damage: ${formatMeasuredPercent(score.clean.withAlarm)} with a false alarm, ${formatMeasuredShare(score.clean.alarmsPerPhoto)} alarms a photo`,
    `Calibration error ${formatMeasuredShare(score.calibration.error)} over ${formatCount(score.calibration.findings, 'finding')}:`,
    ...score.calibration.bins.map(
      ({ from, to, count, said, right }) =>
        `  predicted ${formatMeasuredPercent(from)} to ${formatMeasuredPercent(to)}: ${formatMeasuredShare(said)} on average, ${formatMeasuredShare(right)} right (${count})`,
    ),
    'Labeled class, and the class predicted:',
    ...Object.entries(score.confusion).map(([there, row]) => `  ${there}: ${formatRow(row)}`),
  ];
}

/** Renders a table of figures, right-aligned except for the first column. */
export function renderRows(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  chalk: ChalkInstance,
  columns: number,
): string {
  return renderPlainTable(head, rows, { color: chalk.level, right: head.slice(1), columns, wrap: head });
}

function formatRow(row: Readonly<Record<string, number>>): string {
  const cells = Object.entries(row).sort(([, a], [, b]) => b - a);
  return cells.map(([said, count]) => `${said} ${count}`).join(', ');
}

/** Formats a fraction with three decimals; a dash if not measured. */
export function formatMeasuredShare(value: number | null): string {
  return value === null ? ABSENT : value.toFixed(3);
}

/** Formats a fraction as a percentage with one decimal; a dash if not measured. */
export function formatMeasuredPercent(value: number | null): string {
  return value === null ? ABSENT : `${(100 * value).toFixed(1)} %`;
}
