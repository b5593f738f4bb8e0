import type { Result } from '../../contract/result.ts';
import type { Severity } from '../../domain/damage.ts';
import { rankSeverity } from '../../domain/grading/severity.ts';
import { describeListedCost, nameListedRepair } from '../content/repair.ts';
import { type DamageRow, describeCertainty } from '../finding-rows.ts';
import { nameFinding } from '../words.ts';

export interface FormatOptions {
  /** Minimum severity of a failing finding; `none`: findings never fail. */
  readonly failOn: Severity | 'none';
  /** True if a place to check also counts as a failure. */
  readonly failOnUnchecked?: boolean;
}

/** Renders a result in one format. Pure; the text ends with a line break. */
export type Formatter = (input: Result, options: FormatOptions) => string;

/** Returns true if a severity reaches the failure threshold. */
export function isAtLeast(severity: Severity, failOn: Severity | 'none'): boolean {
  return failOn !== 'none' && rankSeverity(severity) >= rankSeverity(failOn);
}

/** Describes a finding in one sentence: `No. 3: moderate dent, Hood (81 % sure), repair $250`. */
export function writeSentence(input: Result, row: DamageRow): string {
  const certainty = describeCertainty(row);
  const sure = certainty === '' ? '' : ` (${certainty})`;
  return `${row.toCheck ? 'To check, no.' : 'No.'} ${row.number}: ${nameFinding(row)}${sure}, ${formatRepair(input, row)}`;
}

/** Formats the repair with the price of the part; places to check are not priced. */
function formatRepair(input: Result, row: DamageRow): string {
  const repair = nameListedRepair(input, row) ?? 'repair';
  const cost = describeListedCost(input, row.id);
  return cost === undefined ? (row.toCheck ? 'not in the price' : repair) : `${repair} ${cost}`;
}
