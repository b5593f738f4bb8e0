import { Chalk, type ColorSupportLevel } from 'chalk';
import type { Damage, InspectionEnvelope } from '../../contract/inspection.ts';
import type { ReviewedEnvelope, ReviewedFinding } from '../../contract/review.ts';
import { formatMoneyRange } from '../../report/figures.ts';
import { renderPlainTable } from '../../report/text/plain-table.ts';
import { DECISION_WORDS, describeDamage, describeFindingPart } from '../../report/words.ts';

const HEAD = ['No.', 'Decision', 'As found', 'Now', 'Repair'] as const;

/** Renders the changes of a review, by finding and for the repair as a whole. */
export function renderChangesText(
  before: InspectionEnvelope,
  { data, review }: ReviewedEnvelope,
  colour: ColorSupportLevel,
): string {
  const chalk = new Chalk({ level: colour });
  const rows = review.decisions.map((one) => [
    String((one.corrected ?? one.original)?.number ?? ''),
    DECISION_WORDS[one.decision],
    describeDamageAndPart(one.original),
    describeCorrected(one),
    one.corrected ? formatPrice(one.corrected) : '–',
  ]);
  const [was, is] = [before.data.results?.repair_cost, data.results?.repair_cost];
  const range = (cost: NonNullable<typeof was>) => formatMoneyRange(cost.min, cost.max, cost.currency);
  const total = was && is ? `Repair as one: ${range(was)} as found, ${range(is)} now\n` : '';
  if (rows.length === 0) return total;
  return `${renderPlainTable(HEAD, rows, { chalk, right: ['No.', 'Repair'] })}\n\n${total}`;
}

function describeCorrected({ decision, into, original, corrected }: ReviewedFinding): string {
  if (decision === 'merge' || (decision === 'add' && into !== undefined)) return `part of ${into}`;
  if (corrected === null) return '–';
  return describeDamageAndPart(corrected) === describeDamageAndPart(original)
    ? 'the same'
    : describeDamageAndPart(corrected);
}

function describeDamageAndPart(damage: Damage | null): string {
  if (damage === null) return '–';
  const { severity, type, subtype, location } = damage;
  return `${severity} ${describeDamage(type, subtype).toLowerCase()}, ${describeFindingPart(location)}`;
}

function formatPrice({ estimated_repair: { min, max, currency } }: Damage): string {
  return formatMoneyRange(min, max, currency);
}
