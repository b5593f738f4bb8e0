import type { Damage, ToCheck } from '../../contract/inspection.ts';
import type { ExpectedOperation, RepairCost, RepairLine } from '../../contract/repair.ts';
import { describeDamages } from '../../domain/damage-words.ts';
import { readGradedSizeCm } from '../../domain/judge/graded-size.ts';
import { toMajor, toMinor } from '../../domain/money.ts';
import { type ContractRepairType, nameLineItem, type RepairType } from '../../domain/repair.ts';
import { defined } from '../../lib/objects.ts';
import type { RepairLine as PricedLine } from '../../pricing/index.ts';
import type { LineEdits } from '../../pricing/lines/edit-lines.ts';
import type { PricingDamage } from '../../pricing/option/damage.ts';
import type { Pricer } from '../pricer.ts';

/** Repair of an inspection priced as one job. */
export interface PresentedRepair {
  readonly repair_cost: RepairCost;
  readonly if_all_confirmed: RepairCost;
  readonly repair_lines: RepairLine[];
  readonly expected_operations?: ExpectedOperation[];
}

/**
 * Prices the repair as one job, with and without the places to check, and lists the damages' job as one row per part.
 * Prices equal an assessment of the same findings. `decisions` are the reviewer's repair decisions; those on lines that
 * no longer exist are ignored.
 */
export function presentRepairs(
  damages: readonly Damage[],
  toCheck: readonly ToCheck[],
  pricer: Pricer,
  decisions: RepairDecisions = {},
): PresentedRepair {
  const edits = makeEdits(decisions, pricer.currency);
  const price = (findings: readonly (Damage | ToCheck)[]) =>
    pricer.priceVehicle(
      findings.map((finding) => ({ id: finding.damage_id, ...describePricedDamage(finding) })),
      edits,
    );
  const certain = price(damages);
  const all = toCheck.length === 0 ? certain : price([...damages, ...toCheck]);
  return {
    repair_cost: presentCost(certain, damages.length, pricer),
    if_all_confirmed: presentCost(all, damages.length + toCheck.length, pricer),
    repair_lines: presentRepairLines(certain.repairLines, damages.map(nameFound), pricer.currency),
    ...(certain.expected.length === 0
      ? {}
      : {
          expected_operations: certain.expected.map((line) => presentExpected(line, pricer.currency)),
        }),
  };
}

/** Reviewer decisions on the repair: expected operations by `line_id`, and agreed part prices. */
export interface RepairDecisions {
  readonly accepted?: readonly string[];
  readonly refused?: readonly string[];
  /** Agreed repair cost per part of `repair_lines`; major units. */
  readonly prices?: readonly { readonly part: string; readonly cost: number }[];
}

function makeEdits(
  { accepted = [], refused = [], prices = [] }: RepairDecisions,
  currency: Pricer['currency'],
): LineEdits {
  return {
    changed: [
      ...accepted.map((line) => ({ field: 'accepted', line, action: 'accept' as const })),
      ...refused.map((line) => ({ field: 'refused', line, action: 'remove' as const })),
    ],
    added: [],
    agreed: prices.map(({ part, cost }) => ({ field: 'prices', part, priceMinor: toMinor(cost, currency) })),
    skipMissing: true,
  };
}

const COUNTED = { total: 'total', range: 'first_bill', none: 'none' } as const;

const presentExpected = (
  line: ReturnType<Pricer['priceVehicle']>['expected'][number],
  currency: Pricer['currency'],
): ExpectedOperation => ({
  line_id: line.id,
  operation: line.operation,
  part: line.part,
  ...defined({ because_of: line.requiredBy }),
  hours: line.hoursTenths / 10,
  cost: toMajor(line.costMinor, currency),
  currency,
  share_of_jobs: line.frequency ?? 1,
  counted_in: COUNTED[line.countedIn],
});

function presentCost(
  { firstBill, asSeen, afterTeardown }: ReturnType<Pricer['priceVehicle']>,
  items: number,
  pricer: Pricer,
): RepairCost {
  const { currency } = pricer;
  const present = ({ min, est, max }: typeof firstBill) => ({
    min: toMajor(min, currency),
    estimated: toMajor(est, currency),
    max: toMajor(max, currency),
    currency,
  });
  return {
    ...present(firstBill),
    first_bill: present(firstBill),
    as_seen: present(asSeen),
    ...(afterTeardown === undefined ? {} : { after_teardown: present(afterTeardown) }),
    vehicle_class: pricer.vehicleClass,
    items,
    ...defined({ range_meaning: pricer.rangeMeaning }),
  };
}

/** Sums the findings' own repair costs without binary fractions; amounts have at most two decimals. */
export function sumRepairs(damages: readonly Damage[]): { readonly min: number; readonly max: number } {
  const sum = (end: 'min' | 'max') =>
    damages.reduce((all, one) => all + Math.round(one.estimated_repair[end] * 100), 0) / 100;
  return { min: sum('min'), max: sum('max') };
}

/** Converts a finding to pricing input: by its measured size, or else the size that it was graded by. */
export function describePricedDamage(finding: Damage | ToCheck): PricingDamage {
  const { length, diameter } = finding.measurements ?? {};
  return {
    type: finding.type,
    subtype: finding.subtype,
    part: finding.location.part,
    severity: finding.severity,
    severityScore: finding.severity_score,
    sizeCm: length ?? diameter ?? readGradedSizeCm(finding.explain),
  };
}

/** Describes a repair row without a part; the associated operations are named by the most expensive. */
function describeKind({ kind, partNames: [most = '', ...others] }: PricedLine): string {
  if (kind === 'materials') return 'fees';
  if (kind === 'shared') return 'paint, set-up and visits once';
  return `${nameLineItem(most)}${others.length > 0 ? ` + ${others.length} more` : ''}`;
}

/** Fields of a damage named in repair rows. */
interface NamedDamage {
  readonly id: string;
  readonly type: Damage['type'];
  readonly subtype?: string | undefined;
  readonly also?: readonly Damage['type'][] | undefined;
  readonly part: string;
  readonly sizeCm?: number | undefined;
  readonly imageUrl?: string;
}

/** Converts repair rows to wire format, parts in the order of the damages. */
export function presentRepairLines(
  lines: readonly PricedLine[],
  damages: readonly NamedDamage[],
  currency: Pricer['currency'],
): RepairLine[] {
  const rows = lines.map((line) => {
    const own = damages.filter((one) => line.damageIds.includes(one.id));
    const [first] = own;
    return { line, own, rank: first && line.kind === 'part' ? damages.indexOf(first) : damages.length };
  });
  return rows
    .sort((a, b) => a.rank - b.rank)
    .map(({ line, own }) => ({
      kind: line.kind,
      part: line.part,
      damage_ids: own.map((one) => one.id),
      words: line.kind === 'part' ? describeDamages(own) : describeKind(line),
      action: line.action,
      hours: line.hoursTenths / 10,
      cost: toMajor(line.costMinor, currency),
      currency,
      image_urls: [...new Set(own.flatMap((one) => one.imageUrl ?? []))],
    }));
}

const nameFound = ({
  damage_id: id,
  type,
  subtype,
  also,
  location,
  measurements: size,
  image_url: imageUrl,
}: Damage) => ({
  id,
  type,
  subtype,
  also,
  part: location.part,
  sizeCm: size?.length ?? size?.diameter,
  imageUrl,
});

/** Converts the repair kind to wire format: the contract's word, and the finer one if there is one. */
export function presentRepairType({
  repairType,
  contractType,
}: {
  readonly repairType: RepairType;
  readonly contractType: ContractRepairType;
}): { repair_type: ContractRepairType; repair_category?: RepairType } {
  return {
    repair_type: contractType,
    ...(repairType === contractType ? {} : { repair_category: repairType }),
  };
}
