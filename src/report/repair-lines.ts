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
  readonly kind: RepairLine['kind'] | 'one_job';
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

/** Returns the repair as one row per part; none where there is nothing to repair. */
export function listPartLines(input: Result): readonly PartLine[] {
  const { inspection, assessment } = input;
  const rows = listDamageRows(input);
  const lines = assessment ? assessment.data.estimate.repair_lines : inspection?.data.results?.repair_lines;
  if (lines === undefined) return sumByPart(input, rows);
  return lines.map(({ kind, part, damage_ids: ids, words, action, cost, currency }) => {
    const own = rows.filter(({ id }) => ids.includes(id));
    const said = own.length > 0 ? describeFinds(own) : words;
    return { kind, part, rows: own, severity: findWorst(own), words: said, action, cost, currency };
  });
}

/** Returns the rows of a result that has none of its own: the prices of single repairs by part, then what one job saves. */
function sumByPart({ inspection, assessment }: Result, rows: readonly DamageRow[]): readonly PartLine[] {
  const job =
    assessment?.data.summary.repair_cost_summary.adjusted_total ?? inspection?.data.results?.repair_cost;
  if (job === undefined || rows.length === 0) return [];
  const parts = [...new Set(rows.map(({ part }) => part))].map((part): PartLine => {
    const own = rows.filter((row) => row.part === part);
    return {
      kind: 'part',
      part,
      rows: own,
      severity: findWorst(own),
      words: describeFinds(own),
      action: joinActions(own.map(findAction)),
      cost: own.reduce((sum, row) => sum + findCost(row), 0),
      currency: job.currency,
    };
  });
  const saved = job.estimated - parts.reduce((sum, { cost }) => sum + cost, 0);
  const rest = { kind: 'one_job', part: null, rows: [], severity: undefined, words: '', action: '' } as const;
  return [...parts, ...(Math.abs(saved) < 0.005 ? [] : [{ ...rest, cost: saved, currency: job.currency }])];
}

/** Returns what is done to a part for all its damages, each work once; a part that is replaced is not repaired. */
function joinActions(actions: readonly string[]): string {
  const works = [...new Set(actions.flatMap((action) => action.split(', ')))];
  return works.includes('replace') ? 'replace' : works.join(', ');
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
  return describeAction(chosen?.repair_type ?? found?.estimated_repair.repair_type ?? '');
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
