import type { Damage } from '../contract/inspection.ts';
import type { ExpectedOperation, RepairCost, RepairLine } from '../contract/repair.ts';
import { describeDamages } from '../domain/damage-words.ts';
import { toMajor } from '../domain/money.ts';
import { nameLineItem } from '../domain/repair.ts';
import { defined } from '../lib/objects.ts';
import type { RepairLine as PricedLine } from '../pricing/lines/repair-lines.ts';
import type { RepairEstimate } from '../pricing/option/recommend.ts';
import type { Spread } from '../pricing/pricing-context.ts';
import type { Pricer } from './pricer.ts';

type PricedVehicle = ReturnType<Pricer['priceVehicle']>;

/** Converts a repair estimate to wire format, in major units of its currency. */
export function presentEstimate(range: RepairEstimate): Damage['estimated_repair'] {
  return { ...presentRange(range.total, range.currency), ...presentRepairType(range) };
}

const COUNTED = { total: 'total', range: 'first_bill', none: 'none' } as const;

/** Converts an expected operation to wire format. */
export const presentExpected = (
  line: PricedVehicle['expected'][number],
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

/** Converts a range to wire format. */
export const presentRange = ({ min, est, max }: Spread, currency: Pricer['currency']) => ({
  min: toMajor(min, currency),
  max: toMajor(max, currency),
  estimated: toMajor(est, currency),
  currency,
});

/** Converts the cost of the job to wire format; `items` is the number of findings that it covers. */
export function presentCost(
  { firstBill, asSeen, afterTeardown }: PricedVehicle,
  items: number,
  pricer: Pricer,
): RepairCost {
  const { currency } = pricer;
  const present = (range: Spread) => presentRange(range, currency);
  return {
    ...present(firstBill),
    first_bill: present(firstBill),
    as_seen: present(asSeen),
    ...(afterTeardown === undefined ? {} : { after_teardown: present(afterTeardown) }),
    vehicle_class: pricer.vehicleClass,
    items,
    range_meaning: pricer.rangeMeaning,
  };
}

/** Describes a repair row without a part; fees and associated operations are named after the first of `partNames`. */
function describeKind({ kind, partNames: [most = '', ...others] }: PricedLine): string {
  if (kind === 'shared') return 'paint, set-up and visits once';
  return `${nameLineItem(most)}${others.length > 0 ? ` + ${others.length} more` : ''}`;
}

/** Fields of a damage named in repair rows. */
type NamedDamage = Parameters<typeof describeDamages>[0][number] & {
  readonly id: string;
  readonly imageUrl?: string;
};

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

/** Converts the repair kind to wire format: the contract's word, and the finer one if there is one. */
export function presentRepairType({
  repairType,
  contractType,
}: Pick<RepairEstimate, 'repairType' | 'contractType'>) {
  return {
    repair_type: contractType,
    ...(repairType === contractType ? {} : { repair_category: repairType }),
  };
}
