import { findGroup } from '../../domain/parts.ts';
import type { ExpectedWeight } from '../lines/line-totals.ts';
import type { PricingDamage } from '../option/damage.ts';
import { isGlass, type Target } from '../option/target.ts';
import type { PricingContext } from '../pricing-context.ts';

interface DamagedTarget {
  readonly damage: PricingDamage;
  readonly target: Target;
}

type Ramp = Pick<PricingContext['tables']['operations']['first_bill'], 'from_score' | 'full_score'>;

const readRamp = (score: number, { from_score: from, full_score: full }: Ramp) =>
  Math.min(1, Math.max(0, (score - from) / (full - from)));

/** Returns true if a damage results from an impact: a dent, a crack, a broken lamp, or a crushed, missing or bent part. */
export function isImpactDamage({ damage, target }: DamagedTarget, { tables }: PricingContext): boolean {
  const { types, whole } = tables.operations.first_bill;
  const isBrokenLamp = damage.type === 'glass_damage' && target.facts.kind === 'lamp';
  return isBrokenLamp || types.includes(damage.type) || whole.includes(damage.subtype ?? '');
}

/**
 * Computes the fraction of expected operations included in the first bill, per zone. Damage to one part's paint, glass
 * or lamp suggests no hidden damage, nor does a crack alone; adjacent deformed parts do, as does a crushed, missing or
 * structurally bent part. No zone affects the vehicle's other end. Severity and each further damage raise the weight.
 */
export function weighExpected(damages: readonly DamagedTarget[], ctx: PricingContext): ExpectedWeight {
  const { alone, zones, whole, ...ramp } = ctx.tables.operations.first_bill;
  const impacts = damages.filter((one) => isImpactDamage(one, ctx));
  const weighSingle = ({ damage, target }: DamagedTarget) => {
    if (damage.subtype !== undefined && whole.includes(damage.subtype)) return 1;
    if (!alone.includes(damage.type) || ctx.region.panel_alone !== undefined) return 0;
    const isBody = target.facts.kind === 'painted' || findGroup(target.part) === 'mechanical';
    return isBody ? readRamp(damage.severityScore, ramp) : 0;
  };
  const weighed = zones.map((parts) => {
    const inside = impacts.filter(({ target }) => parts.includes(target.part));
    const worst = new Map<string, number>();
    for (const { damage, target } of inside) {
      if (isGlass(target)) continue;
      worst.set(target.key, Math.max(worst.get(target.key) ?? 0, readRamp(damage.severityScore, ramp)));
    }
    const [, second = 0] = [...worst.values()].sort((a, b) => b - a);
    return { parts, weight: Math.max(second, ...inside.map(weighSingle)) };
  });
  const vehicle = Math.max(0, ...impacts.map(weighSingle), ...weighed.map(({ weight }) => weight));
  return { vehicle, zones: weighed };
}
