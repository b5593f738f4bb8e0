import { Chalk, type ChalkInstance, type ColorSupportLevel } from 'chalk';
import type { ModelUsed } from '../../domain/sight/detection.ts';
import type { DamageScore } from '../../evaluate/damage-score.ts';
import type { PartsScore } from '../../evaluate/parts-score.ts';
import { type PlateCounts, type PlatesScore, WHOLE_SHARE } from '../../evaluate/plates-score.ts';
import { renderPlainTable } from '../../report/text/plain-table.ts';
import { foldLines } from '../../report/text/wrapped.ts';
import { formatMeasuredPercent, formatMeasuredShare } from './measured-figures.ts';

/** How the figures came about. */
interface EvaluationFacts {
  readonly models: readonly ModelUsed[];
  readonly sensitivity: string;
  readonly partial: boolean;
}

/** Renders the figures of a model for people. */
export function renderEvaluationText(
  facts: EvaluationFacts,
  score: DamageScore | PartsScore | PlatesScore,
  colour: ColorSupportLevel,
  columns: number,
): string {
  const chalk = new Chalk({ level: colour });
  const { id, lines } = renderLines(score, chalk, columns);
  const model = facts.models.find((one) => one.id === id);
  const title = chalk.bold(`${model?.name} ${model?.version} ${model?.precision}`);
  const partial = facts.partial ? chalk.yellow('  partial: interrupted') : '';
  const at = id === 'damage' ? `, sensitivity ${facts.sensitivity}` : '';
  return `${foldLines([`${title}  ${score.photos} photos${at}${partial}`, ...lines].join('\n'), columns)}\n`;
}

function renderLines(score: DamageScore | PartsScore | PlatesScore, chalk: ChalkInstance, columns: number) {
  if ('classes' in score) return { id: 'damage', lines: renderDamage(score, chalk, columns) };
  if ('iou' in score) return { id: 'parts', lines: renderParts(score, chalk, columns) };
  return { id: 'plates', lines: renderPlates(score, chalk, columns) };
}

function renderPlates(score: PlatesScore, chalk: ChalkInstance, columns: number): string[] {
  const head = ['width of the plate', 'plates', 'blurred whole', 'in part', 'missed', 'recall'];
  const cells = ({ plates, whole, inPart, missed, recall }: PlateCounts) => [
    ...[plates, whole, inPart, missed].map(String),
    formatMeasuredShare(recall),
  ];
  const rows = score.byWidth.map((row) => [
    row.to < 1 ? `up to ${(100 * row.to).toFixed(0)} % of the photo` : 'more',
    ...cells(row),
  ]);
  const table = renderRows(head, [...rows, [chalk.bold('all'), ...cells(score.all)]], chalk, columns);
  return [
    table,
    `Blurred whole: at least ${(100 * WHOLE_SHARE).toFixed(0)} % of the plate's box`,
    `${score.photosSafe} of ${score.photosWithPlate} photos with a plate have all their plates blurred whole`,
    `${score.photosWithFalseBlur} of ${score.photos} photos have something else blurred (${score.falseBlurs} regions)`,
    `${formatMeasuredPercent(score.blurredWithoutNeed)} of a photo is blurred without need, on average`,
  ];
}

function renderParts(score: PartsScore, chalk: ChalkInstance, columns: number): string[] {
  const rows = Object.entries(score.iou).map(([part, iou]) => {
    const side = score.sideAccuracyByPart[part.replace(/_(left|right)$/, '')];
    return [
      part,
      formatMeasuredShare(iou),
      side === undefined || !/_(left|right)$/.test(part) ? '' : formatMeasuredShare(side),
    ];
  });
  const all = [
    chalk.bold('all'),
    formatMeasuredShare(score.meanIou),
    formatMeasuredShare(score.sideAccuracy),
  ];
  const table = renderRows(['part', 'IoU', 'side right'], [...rows, all], chalk, columns);
  return [table, `${score.sidePieces} pieces of sided parts were found and asked for their side`];
}

function renderDamage(score: DamageScore, chalk: ChalkInstance, columns: number): string[] {
  const head = [
    'class',
    'boxes',
    'AP50',
    'AP50:95',
    'limit',
    'precision',
    'recall',
    'finds',
    'clean photos with an alarm',
  ];
  const rows = Object.entries(score.classes).map(([name, row]) => [
    name,
    String(row.boxes),
    ...[row.ap50, row.ap50To95, row.threshold, row.precision, row.recall].map(formatMeasuredShare),
    String(row.findings),
    formatMeasuredPercent(row.cleanPhotosWithAlarm),
  ]);
  const all = [
    chalk.bold('all'),
    '',
    formatMeasuredShare(score.meanAp50),
    formatMeasuredShare(score.meanAp50To95),
    '',
    formatMeasuredShare(score.precision),
    formatMeasuredShare(score.recall),
    '',
    formatMeasuredPercent(score.clean.withAlarm),
  ];
  const table = renderRows(head, [...rows, all], chalk, columns);
  return [
    table,
    `${score.clean.photos} photos without damage: ${formatMeasuredPercent(score.clean.withAlarm)} with a false alarm, ${formatMeasuredShare(score.clean.alarmsPerPhoto)} alarms a photo`,
    `Calibration error ${formatMeasuredShare(score.calibration.error)} over ${score.calibration.findings} findings:`,
    ...score.calibration.bins.map(
      ({ from, to, count, said, right }) =>
        `  predicted ${formatMeasuredPercent(from)} to ${formatMeasuredPercent(to)}: ${formatMeasuredShare(said)} on average, ${formatMeasuredShare(right)} right (${count})`,
    ),
    'Labelled class, and the class predicted:',
    ...Object.entries(score.confusion).map(([there, row]) => `  ${there}: ${formatRow(row)}`),
  ];
}

/** Renders a table of figures, all columns but the first aligned right. */
function renderRows(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  chalk: ChalkInstance,
  columns: number,
): string {
  return renderPlainTable(head, rows, { chalk, right: head.slice(1), columns, wrap: head });
}

function formatRow(row: Readonly<Record<string, number>>): string {
  const cells = Object.entries(row).sort(([, a], [, b]) => b - a);
  return cells.map(([said, count]) => `${said} ${count}`).join(', ');
}
