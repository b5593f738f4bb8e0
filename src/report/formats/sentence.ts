import { formatMoneyRange } from '../figures.ts';
import { type DamageRow, describeCertainty } from '../finding-rows.ts';
import { humanise, nameFinding } from '../words.ts';

/**
 * Describes a finding in one sentence: `No. 3: moderate dent, Hood (81 % sure), repair $200–300`, or `To check, no. 4:
 * minor scratch, …`.
 */
export function writeSentence(row: DamageRow): string {
  const certainty = describeCertainty(row);
  const sure = certainty === '' ? '' : ` (${certainty})`;
  return `${row.toCheck ? 'To check, no.' : 'No.'} ${row.number}: ${nameFinding(row)}${sure}, ${formatRepair(row)}`;
}

/** Formats the recommended repair with its range, or the range only without an assessment. */
function formatRepair({ found, assessed, priced }: DamageRow): string {
  if (!priced) return 'no price: several vehicles in these photos';
  if (assessed) {
    const { option, min_cost, max_cost, currency } = assessed.recommended_repair;
    return `${humanise(option)} ${formatMoneyRange(min_cost, max_cost, currency)}`;
  }
  if (!found) return 'no repair known';
  const { min, max, currency } = found.estimated_repair;
  return `repair ${formatMoneyRange(min, max, currency)}`;
}
