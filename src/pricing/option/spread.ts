import { roundProduct } from '../../domain/money.ts';
import { sumBy } from '../../lib/lists.ts';
import { makeSpread, type PricingContext, type Spread } from '../pricing-context.ts';

/** Returns the spread row of a part; anything without a parts row counts as a panel. */
function findKind(part: string | undefined, ctx: PricingContext): string {
  const kind = ctx.tables.parts.rows.find(({ parts }) => parts.some((one) => one === part))?.kind;
  if (kind === 'laminated_glass' || kind === 'tempered_glass') return 'glass';
  return kind === 'lamp' || kind === 'mechanical' ? kind : 'panel';
}

/**
 * Returns the factors from the estimate of one part to the range that covers its bills. They depend on the part, never on
 * the repair option, so a range end never falls while the estimate rises.
 */
export function findFactors(part: string | undefined, ctx: PricingContext): Spread {
  const { rows } = ctx.tables.spreads;
  const kind = findKind(part, ctx);
  const { low, high } = ctx.region.spread ?? rows.find((row) => row.of === kind) ?? { low: 1, high: 1 };
  const { glass = 1, glass_dealer = glass } = ctx.region.price_level ?? {};
  // A dealer's price of glass is the upper end.
  const dealer = kind === 'glass' ? glass_dealer / glass : 1;
  return { min: low, est: 1, max: Math.max(dealer, high) };
}

/** Applies spread factors to an amount, in whole minor units. */
export const spreadMinor = (minor: number, factors: Spread): Spread =>
  makeSpread((end) => roundProduct(minor * factors[end]));

/**
 * Adds the ranges of several parts, and of what the whole vehicle needs. Bills of parts do not all lie at one end together,
 * so the distances to an end add up by the table's power, `shared` with the largest; a further part never lowers an end.
 * A shop's own range is that of its whole jobs.
 */
export function addSpreads(
  parts: readonly Spread[],
  shared: Spread,
  { tables, region }: PricingContext,
): Spread {
  const power = region.spread === undefined ? tables.spreads.joint.power : 1;
  const est = shared.est + sumBy(parts, (one) => one.est);
  const join = (end: 'min' | 'max') => {
    const [largest = 0, ...others] = parts
      .map((one) => Math.abs(one[end] - one.est))
      .toSorted((a, b) => b - a);
    const distances = [largest + Math.abs(shared[end] - shared.est), ...others];
    return roundProduct(sumBy(distances, (one) => one ** power) ** (1 / power));
  };
  return { min: est - join('min'), est, max: est + join('max') };
}
