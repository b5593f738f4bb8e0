import { roundProduct } from '../../domain/money.ts';
import { sumBy } from '../../lib/lists.ts';
import { makeSpread, type PricingContext, type Spread } from '../pricing-context.ts';

/** Chooses the kind of part by which the spreads table is read; anything without a parts row counts as a panel. */
function chooseSpreadKind(part: string | undefined, ctx: PricingContext) {
  const kind = ctx.tables.parts.rows.find(({ parts }) => parts.some((one) => one === part))?.kind;
  if (kind === 'laminated_glass' || kind === 'tempered_glass') return 'glass';
  return kind === 'lamp' || kind === 'mechanical' ? kind : 'panel';
}

/**
 * Returns the factors from a part's estimate to the range that covers its bills. They depend on the part, never on the
 * repair option, so neither end of the range falls while the estimate rises.
 */
export function findSpreadFactors(part: string | undefined, ctx: PricingContext): Spread {
  const kind = chooseSpreadKind(part, ctx);
  const { low, high } = ctx.region.spread ?? ctx.tables.spreads[kind];
  const { glass = 1, glass_dealer = glass } = ctx.region.price_level ?? {};
  // A dealer's price of glass sets the upper end, except in a shop's own range.
  const dealer = kind === 'glass' && ctx.region.spread === undefined ? glass_dealer / glass : 1;
  return { min: low, est: 1, max: Math.max(dealer, high) };
}

/** Applies spread factors to an amount, in whole minor units. */
export const spreadMinor = (minor: number, factors: Spread): Spread =>
  makeSpread((end) => roundProduct(minor * factors[end]));

/**
 * Adds the ranges of several parts and of work shared by the vehicle. Bills of parts rarely all lie at the same end, so
 * the distances to an end are combined by the table's power, with `shared` added to the largest; a further part never
 * lowers an end. A shop's own range already covers whole jobs, so its distances add up.
 */
export function addSpreads(parts: readonly Spread[], shared: Spread, { tables, region }: PricingContext) {
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
