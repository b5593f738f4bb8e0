import { roundProduct } from '../../domain/money.ts';
import type { EquipmentFact } from '../../domain/vehicle.ts';
import { makeSpread, type PricingContext, type Spread } from '../pricing-context.ts';
import type { SpreadKind } from '../tables/schema.ts';

/** Returns the spread row of a part; anything without a parts row counts as a panel. */
function findKind(part: string | undefined, ctx: PricingContext): SpreadKind {
  const kind = ctx.tables.parts.rows.find(({ parts }) => parts.some((one) => one === part))?.kind;
  if (kind === 'laminated_glass' || kind === 'tempered_glass') return 'glass';
  return kind === 'lamp' || kind === 'mechanical' ? kind : 'panel';
}

function isKnown(fact: string, ctx: PricingContext): boolean {
  if (fact === 'class') return ctx.classKnown;
  const value = fact === 'paint' ? ctx.paint : ctx.equipment[fact as EquipmentFact];
  return value !== undefined && value !== 'unknown';
}

/**
 * Computes the factors from an estimate to the range that covers its bills. They depend on the part and the known facts
 * of the vehicle, never on the repair option, so a range end never falls while the estimate rises. `weight` is the
 * job's collision share, 0 to 1.
 */
export function findFactors(part: string | undefined, weight: number, ctx: PricingContext): Spread {
  const { rows, narrows, labour_share } = ctx.tables.spreads;
  const kind = findKind(part, ctx);
  const findRow = (of: string) =>
    ctx.region.spread ?? rows.find((row) => row.of === of) ?? { low: 1, high: 1 };
  const [base, collision] = [findRow(kind), findRow('collision')];
  const power = narrows
    .filter((row) => row.of.includes(kind) && isKnown(row.fact, ctx))
    .reduce((product, row) => product * row.by, 1);
  const { min, est, max } = ctx.laborRate;
  const { glass = 1, glass_dealer = glass } = ctx.region.price_level ?? {};
  const dealer = kind === 'glass' ? glass_dealer / glass : 1;
  const low = (base.low + weight * Math.max(0, collision.low - base.low)) ** power;
  const high = (base.high + weight * Math.max(0, collision.high - base.high)) ** power;
  return {
    min: 1 - Math.hypot(1 - low, labour_share * (1 - min / est)),
    est: 1,
    // A dealer's price of glass is the upper end.
    max: Math.max(dealer, 1 + Math.hypot(high - 1, labour_share * (max / est - 1))),
  };
}

/** Applies spread factors to an amount, in whole minor units. */
export const spreadMinor = (minor: number, factors: Spread): Spread =>
  makeSpread((end) => roundProduct(minor * factors[end]));
