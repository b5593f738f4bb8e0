import { findGroup } from '../../domain/parts.ts';
import { groupBy } from '../../lib/lists.ts';
import type { ExpectedWeight } from '../lines/line-totals.ts';
import type { PricingDamage } from '../option/damage.ts';
import { isGlass, type Target } from '../option/target.ts';
import type { PricingContext } from '../pricing-context.ts';

interface DamagedTarget {
  readonly damage: PricingDamage;
  readonly target: Target;
}

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
  const { alone, zones, whole, from_score: from, full_score: full } = ctx.tables.operations.first_bill;
  const impacts = damages.filter((one) => isImpactDamage(one, ctx));
  const readRamp = ({ damage }: DamagedTarget) =>
    Math.min(1, Math.max(0, (damage.severityScore - from) / (full - from)));
  const weighSingle = (one: DamagedTarget) => {
    const { damage, target } = one;
    if (damage.subtype !== undefined && whole.includes(damage.subtype)) return 1;
    if (!alone.includes(damage.type) || ctx.region.panel_alone !== undefined) return 0;
    const isBody = target.facts.kind === 'painted' || findGroup(target.part) === 'mechanical';
    return isBody ? readRamp(one) : 0;
  };
  const weighed = zones.map((parts) => {
    const inside = impacts.filter(({ target }) => parts.includes(target.part));
    const solid = inside.filter(({ target }) => !isGlass(target));
    const panels = [...groupBy(solid, ({ target }) => target.key).values()];
    const [, second = 0] = panels.map((all) => Math.max(...all.map(readRamp))).sort((a, b) => b - a);
    return { parts, weight: Math.max(second, ...inside.map(weighSingle)) };
  });
  const vehicle = Math.max(0, ...impacts.map(weighSingle), ...weighed.map(({ weight }) => weight));
  return { vehicle, zones: weighed };
}
