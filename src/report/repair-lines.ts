import type { RepairLine } from '../contract/inspection-grounds.ts';
import type { Result } from '../contract/result.ts';
import { DAMAGE_SUBTYPES, type Severity } from '../domain/damage.ts';
import { describeDamages } from '../domain/damage-words.ts';
import { chooseWorse } from '../domain/judge/severity.ts';
import { roundLengthCm } from './figures.ts';
import { type DamageRow, listDamageRows } from './input.ts';
import { describeAction } from './words.ts';

/** A row of the repair, one per part; the costs of all rows add up to the price of the job. */
export interface PartLine {
  readonly kind: RepairLine['kind'];
  /** Null for what is of the whole vehicle. */
  readonly part: string | null;
  /** Damages of the part, by their numbers. */
  readonly rows: readonly DamageRow[];
  readonly severity: Severity | undefined;
  /** What is there: `dent 46 cm, scratches`. */
  readonly words: string;
  /** What is done: `replace, paint`. */
  readonly action: string;
  readonly cost: number;
  readonly currency: string;
}

/** Returns the repair as one row per part; none where there is nothing to repair, or the result has no such rows. */
export function listPartLines(input: Result): readonly PartLine[] {
  const { inspection, assessment } = input;
  const rows = listDamageRows(input);
  const lines = assessment ? assessment.data.estimate.repair_lines : inspection?.data.results?.repair_lines;
  return (lines ?? []).map(({ kind, part, damage_ids: ids, words, action, cost, currency }) => {
    const own = rows.filter(({ id }) => ids.includes(id));
    const said = own.length > 0 ? describeFinds(own) : words;
    return { kind, part, rows: own, severity: findWorst(own), words: said, action, cost, currency };
  });
}

/** Returns damages in words, each kind once with its longest sides: `dent 46 cm, scratches 70, 45 cm`. */
export function describeFinds(rows: readonly DamageRow[]): string {
  return describeDamages(
    rows.map(({ type, subtype, part, found, assessed }) => ({
      type,
      subtype: DAMAGE_SUBTYPES.find((one) => one === subtype),
      part,
      sizeCm: found ? roundLengthCm(found) : assessed?.size_cm,
    })),
  );
}

/** Returns what is done about one damage, in words. */
export function findAction({ found, assessed }: DamageRow): string {
  const chosen = assessed?.repair_options.find(({ option }) => option === assessed.recommended_repair.option);
  const { repair_category, repair_type } = chosen ?? found?.estimated_repair ?? {};
  return describeAction(repair_category ?? repair_type ?? '');
}

/** Returns what one damage costs by itself. */
export function findCost({ found, assessed }: DamageRow): number {
  return assessed?.recommended_repair.estimated_cost ?? found?.estimated_repair.estimated ?? 0;
}

function findWorst(rows: readonly DamageRow[]): Severity | undefined {
  return rows.reduce<Severity | undefined>(
    (worst, { severity }) => (worst === undefined ? severity : chooseWorse(worst, severity)),
    undefined,
  );
}
