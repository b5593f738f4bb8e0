import type { Damage, ToCheck } from '../../contract/inspection.ts';
import type { RepairCost } from '../../contract/inspection-grounds.ts';
import type { DamageSubtype } from '../../domain/damage.ts';
import { readGradedSizeCm } from '../../domain/judge/graded-size.ts';
import { toMajor } from '../../domain/money.ts';
import { defined } from '../../lib/defined.ts';
import type { PricedDamage, Pricer } from '../ports.ts';

/**
 * Returns what it costs to repair these finds as one job, in minor units; prices exactly as an assessment of the same
 * finds does.
 */
export function computeRepairCost(finds: readonly (Damage | ToCheck)[], pricer: Pricer): RepairCost {
  const total = pricer.priceVehicle(
    finds.map((find) => ({ id: find.damage_id, ...describePricedDamage(find) })),
  );
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

/** Returns a find as it is priced: by its measured size, else by the one it was graded by. */
export function describePricedDamage(find: Damage | ToCheck): PricedDamage {
  const { length, diameter } = find.measurements ?? {};
  return {
    type: find.type,
    subtype: find.subtype as DamageSubtype | undefined,
    part: find.location.part,
    severity: find.severity,
    severityScore: find.severity_score,
    sizeCm: length ?? diameter ?? readGradedSizeCm(find.explain),
  };
}
