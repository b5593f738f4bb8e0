import { Chalk, type ColorSupportLevel } from 'chalk';
import type { Damage, InspectionEnvelope } from '../../contract/inspection.ts';
import type { ReviewedEnvelope, ReviewedFinding } from '../../contract/review.ts';
import { formatMoneyRange } from '../../report/figures.ts';
import { listFindings } from '../../report/finding-rows.ts';
import { renderPlainTable } from '../../report/text/plain-table.ts';
import { capitalise, DECISION_WORDS, nameFinding } from '../../report/words.ts';

const HEAD = ['No.', 'Decision', 'As found', 'Now', 'Repair'] as const;

/** Renders the changes of a review, by finding and for the repair as a whole. */
export function renderChangesText(
  before: InspectionEnvelope,
  { data, review }: ReviewedEnvelope,
  colour: ColorSupportLevel,
): string {
  const chalk = new Chalk({ level: colour });
  const numbers = new Map(listFindings(data).map(({ damage_id, number }) => [damage_id, number]));
  const rows = review.decisions.map((one) => [
    String((one.corrected ?? one.original)?.number ?? ''),
    DECISION_WORDS[one.decision],
    describeFinding(one.original),
    describeCorrected(one, numbers),
    one.corrected ? formatPrice(one.corrected) : '–',
  ]);
  const [was, is] = [before.data.results?.repair_cost, data.results?.repair_cost];
  const range = (cost: NonNullable<typeof was>) => formatMoneyRange(cost.min, cost.max, cost.currency);
  const total = was && is ? `Repair as one: ${range(was)} as found, ${range(is)} now\n` : '';
  if (rows.length === 0) return total;
  return `${renderPlainTable(HEAD, rows, { chalk, right: ['No.', 'Repair'] })}\n\n${total}`;
}

/** @param numbers numbers of the reviewed findings by id */
function describeCorrected(
  { decision, into, original, corrected }: ReviewedFinding,
  numbers: ReadonlyMap<string, number>,
): string {
  if (into !== undefined && (decision === 'merge' || decision === 'add'))
    return `part of no. ${numbers.get(into)}`;
  if (corrected === null) return '–';
  const is = describeFinding(corrected);
  return is === describeFinding(original) ? 'the same' : is;
}

function describeFinding(damage: Damage | null): string {
  return damage === null ? '–' : capitalise(nameFinding({ ...damage, ...damage.location }));
}

function formatPrice({ estimated_repair: { min, max, currency } }: Damage): string {
  return formatMoneyRange(min, max, currency);
}
