import type { ColorSupportLevel } from 'chalk';
import type { Damage, InspectionEnvelope, InspectionResults } from '../../contract/inspection.ts';
import type { ReviewedEnvelope, ReviewedFinding } from '../../contract/review-answers.ts';
import { describeListedCost } from '../../report/content/repair.ts';
import { describeMovedPhotos } from '../../report/content/review.ts';
import { ABSENT, formatRoundMoney } from '../../report/figures.ts';
import { listFindings } from '../../report/finding-rows.ts';
import { showsPrices } from '../../report/grade.ts';
import { renderPlainTable } from '../../report/text/plain-table.ts';
import { capitalize, DECISION_WORDS, nameFinding } from '../../report/words.ts';

const HEAD = ['No.', 'Decision', 'As found', 'Now', 'Repair'] as const;

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
    describeFinding(one.original),
    describeCorrected(one, numbers),
    one.corrected ? (describeListedCost(result, one.corrected.damage_id) ?? ABSENT) : ABSENT,
  ]);
  const [was, is] = [before.data.results, data.results];
  const isPriced = was && is && showsPrices(reviewed);
  const price = ({ repair_cost: cost }: InspectionResults) => formatRoundMoney(cost.estimated, cost.currency);
  const total = isPriced ? `Repair: about ${price(was)} as found, about ${price(is)} now\n` : '';
  const moved = describeMovedPhotos(reviewed);
  const photos = moved === undefined ? '' : `${moved}\n`;
  if (rows.length === 0) return `${photos}${total}`;
  const look = { color, columns, right: ['No.', 'Repair'], wrap: ['As found', 'Now', 'Repair'] };
  return `${renderPlainTable(HEAD, rows, look)}\n\n${photos}${total}`;
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
  return is === describeFinding(original) ? 'the same' : is;
}

const describeFinding = (damage: Damage | null): string =>
  damage === null ? ABSENT : capitalize(nameFinding({ ...damage, ...damage.location }));
