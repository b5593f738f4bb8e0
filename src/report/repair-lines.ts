import type { RepairLine } from '../contract/repair.ts';
import type { Result } from '../contract/result.ts';
import { DAMAGE_SUBTYPES, SEVERITIES, type Severity } from '../domain/damage.ts';
import { describeDamages } from '../domain/damage-words.ts';
import { roundAssessedCm, roundLengthCm } from './figures.ts';
import { type DamageRow, listDamageRows } from './finding-rows.ts';
import { english, type Translator } from './translator.ts';
import { sayDamage } from './words.ts';

/** A row of the repair with its words in the report's language; the costs of all rows add up to the price of the job. */
export interface PartLine extends Readonly<Omit<RepairLine, 'damage_ids'>> {
  /** Damages of the row, by number. */
  readonly rows: readonly DamageRow[];
  /** Worst of the damages; undefined without any. */
  readonly severity: Severity | undefined;
}

/** Lists the repair as one row per part; empty if nothing needs repair or the result has no such rows. */
export function listPartLines(input: Result, t = english): readonly PartLine[] {
  const { inspection, assessment } = input;
  const rows = listDamageRows(input);
  const lines = assessment ? assessment.data.estimate.repair_lines : inspection?.data.results?.repair_lines;
  return (lines ?? []).map(({ damage_ids: ids, words, action, ...line }) => {
    const damages = rows.filter(({ id }) => ids.includes(id));
    return {
      ...line,
      rows: damages,
      severity: SEVERITIES.findLast((severity) => damages.some((one) => one.severity === severity)),
      words: damages.length > 0 ? describeFindings(damages, t) : sayIncluded(words, t),
      action: action.split(', ').map(t.word).join(', '),
    };
  });
}

/** Translates the words of a row of the whole vehicle, in the lower case of the others. */
const sayIncluded = (words: string, t: Translator) => (t.code === 'en' ? words : t.inText(t.stored(words)));

/** Describes damages by kind with their longest sides: `dent 46 cm, scratches 70, 45 cm`. */
export function describeFindings(rows: readonly DamageRow[], t = english): string {
  return describeDamages(
    rows.map(({ type, subtype, part, found, assessed }) => ({
      type,
      subtype: DAMAGE_SUBTYPES.find((one) => one === subtype),
      part,
      sizeCm: found ? roundLengthCm(found) : roundAssessedCm(assessed ?? {}),
      count: assessed?.count,
    })),
    (kind, isPlural) => sayDamage(kind, t, isPlural),
  );
}

/** Returns the separate repair cost of one damage in currency units. */
export const findCost = ({ found, assessed }: DamageRow): number =>
  assessed?.recommended_repair.estimated_cost ?? found?.estimated_repair.estimated ?? 0;
