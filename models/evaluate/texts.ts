import { Chalk, type ChalkInstance } from 'chalk';
import type { ModelUsed } from '../../src/domain/model-used.ts';
import {
  formatMeasuredPercent,
  formatMeasuredShare,
  renderMeasured,
  renderRows,
} from './evaluation-table.ts';
import type { PartsScore } from './parts-score.ts';
import { type PlateCounts, type PlatesScore, WHOLE_SHARE } from './plates-score.ts';

/** Renders the metrics of the parts model or of the plate detector as text. */
export function renderScore(
  score: PartsScore | PlatesScore,
  models: readonly ModelUsed[],
  partial: boolean,
  columns: number,
): string {
  const chalk = new Chalk({ level: 0 });
  const about = { models, partial };
  return 'iou' in score
    ? renderMeasured(about, score.photos, 'parts', renderParts(score, chalk, columns), chalk, columns)
    : renderMeasured(about, score.photos, 'plates', renderPlates(score, chalk, columns), chalk, columns);
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
