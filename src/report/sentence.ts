import { moneyRange, percent } from './figures.ts';
import type { DamageRow } from './input.ts';
import { damageWords, humanise, partWords, SEVERITY_WORDS } from './words.ts';

/**
 * Describes one find in one sentence: `No. 3: moderate dent, Hood (81 % sure), repair $200–300`, or `To check, no. 4:
 * minor scratch, …`.
 */
export function writeSentence(row: DamageRow): string {
  const what = `${SEVERITY_WORDS[row.severity]} ${damageWords(row.type, row.subtype)}`.toLowerCase();
  const sure = row.found ? ` (${percent(row.found.confidence)} sure)` : '';
  return `${row.toCheck ? 'To check, no.' : 'No.'} ${row.number}: ${what}, ${partWords(row.part)}${sure}, ${repairText(row)}`;
}

/** Returns the recommended repair with its range, or the range alone where only an inspection is known. */
function repairText({ found, assessed }: DamageRow): string {
  if (assessed) {
    const { option, min_cost, max_cost, currency } = assessed.recommended_repair;
    return `${humanise(option)} ${moneyRange(min_cost, max_cost, currency)}`;
  }
  if (!found) return 'no repair known';
  const { min, max, currency } = found.estimated_repair;
  return `repair ${moneyRange(min, max, currency)}`;
}
