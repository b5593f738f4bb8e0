import type { ColorSupportLevel } from 'chalk';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { ReviewedEnvelope, ReviewedFinding } from '../../contract/review-answers.ts';
import { compact } from '../../lib/lists.ts';
import { describeListedCost } from '../../report/content/repair.ts';
import { describeMovedPhotos, describePriceChange } from '../../report/content/review.ts';
import { ABSENT } from '../../report/figures.ts';
import { listFindings } from '../../report/finding-rows.ts';
import { renderPlainTable } from '../../report/text/plain-table.ts';
import { DECISION_WORDS, describeFinding } from '../../report/words.ts';

export function renderChangesText(
  before: InspectionEnvelope,
  reviewed: ReviewedEnvelope,
  color: ColorSupportLevel,
  columns = Number.POSITIVE_INFINITY,
): string {
  const { data, review } = reviewed;
  const numbers = new Map(listFindings(data).map(({ damage_id, number }) => [damage_id, number]));
  const result = { inspection: reviewed, assessment: null };
  const rows = review.decisions.map((one) => [
    String((one.corrected ?? one.original)?.number ?? ''),
    DECISION_WORDS[one.decision],
    one.original ? describeFinding(one.original) : ABSENT,
    describeCorrected(one, numbers),
    one.corrected ? (describeListedCost(result, one.corrected.damage_id) ?? ABSENT) : ABSENT,
  ]);
  const below = compact([describeMovedPhotos(reviewed), describePriceChange(before, reviewed)])
    .map((line) => `${line}\n`)
    .join('');
  if (rows.length === 0) return below;
  const head = ['No.', 'Decision', 'As found', 'Now', 'Repair'];
  const look = { color, columns, right: ['No.', 'Repair'], wrap: ['As found', 'Now', 'Repair'] };
  return `${renderPlainTable(head, rows, look)}\n\n${below}`;
}

/** @param numbers numbers of the reviewed findings by id */
function describeCorrected(
  { decision, into, original, corrected }: ReviewedFinding,
  numbers: ReadonlyMap<string, number>,
): string {
  if (into !== undefined && (decision === 'merge' || decision === 'add'))
    return `part of no. ${numbers.get(into)}`;
  if (corrected === null) return ABSENT;
  const is = describeFinding(corrected);
  return original && is === describeFinding(original) ? 'the same' : is;
}
