import type { Damage, ToCheck } from '../../contract/inspection.ts';
import type { RepairCost } from '../../contract/inspection-grounds.ts';
import type { DamageSubtype } from '../../domain/damage.ts';
import { toMajor } from '../../domain/money.ts';
import { defined } from '../../lib/defined.ts';
import type { PricedDamage, Pricer } from '../ports.ts';

/**
 * Returns what it costs to repair these finds as one job, in minor units; prices exactly as an assessment of the same
 * finds does.
 */
export function repairCost(finds: readonly (Damage | ToCheck)[], pricer: Pricer): RepairCost {
  const total = pricer.priceVehicle(finds.map((find) => ({ id: find.damage_id, ...damageOfFind(find) })));
  const major = (minor: number) => toMajor(minor, pricer.currency);
  return {
    min: major(total.min),
    estimated: major(total.est),
    max: major(total.max),
    currency: pricer.currency,
    vehicle_class: pricer.vehicleClass,
    items: finds.length,
    ...defined({ range_meaning: pricer.rangeMeaning }),
  };
}

/** Returns the sum of the finds' own repairs, whose amounts have two decimals at most, without binary fractions. */
export function sumRepairs(damages: readonly Damage[]): { readonly min: number; readonly max: number } {
  const sum = (end: 'min' | 'max') =>
    damages.reduce((all, one) => all + Math.round(one.estimated_repair[end] * 100), 0) / 100;
  return { min: sum('min'), max: sum('max') };
}

/** Returns a find as it is priced. */
export function damageOfFind(find: Damage | ToCheck): PricedDamage {
  return {
    type: find.type,
    subtype: find.subtype as DamageSubtype | undefined,
    part: find.location.part,
    severity: find.severity,
    severityScore: find.severity_score,
    sizeCm: judgedSizeCm(find),
  };
}

/** Returns the size (centimetres) that a find was graded and priced by; undefined where the photos do not show it. */
function judgedSizeCm({ measurements, explain }: Damage | ToCheck): number | undefined {
  const measured = measurements?.length ?? measurements?.diameter;
  if (measured !== undefined) return measured;
  const judged = explain.find(({ inputs }) => typeof inputs.long_side_cm === 'number');
  return judged?.inputs.long_side_cm as number | undefined;
}
