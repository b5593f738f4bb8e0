import type { PricingContext } from '../pricing-context.ts';
import { type EstimateLine, hasGoods, isCounted, priceLabor, priceLine } from './line.ts';

/** A priced line, in minor units of the response currency. */
export type PricedLine = ReturnType<typeof finishLine>;

/** Prices a line with its weight set, and decides in which total it counts. */
export function finishLine(line: EstimateLine, ctx: PricingContext) {
  const { group, fixedMinor, hoursTenths, goodsMinor, computed } = line;
  const settle = (countedIn: EstimateLine['countedIn']) =>
    countedIn === 'range' && line.weight === 0 ? 'none' : countedIn;
  return {
    ...line,
    countedIn: settle(line.countedIn),
    computed: computed && { ...computed, countedIn: settle(computed.countedIn) },
    /** Per hour; null without hours or with a fixed price. */
    rateMinor: fixedMinor !== undefined || hoursTenths === 0 ? null : ctx.rates[line.department].est,
    laborMinor: priceLabor(line, ctx),
    /** Price of the goods; null for a line of labor alone and for rounding. */
    priceMinor: group !== 'rounding' && hasGoods(line) ? goodsMinor : null,
    amountMinor: priceLine(line, ctx),
    /** Taxable share of the amount. */
    taxableMinor: computeTaxable(line, ctx),
  };
}

/** Returns the region's tax base; goods only by default. */
export const findTaxBase = ({ region }: PricingContext) => region.tax?.base ?? 'parts_and_materials';

/** Returns the price of a line's parts or materials, minor units; 0 for other goods, which are services. */
export const priceTaxedGoods = ({ taxClass, goodsMinor }: EstimateLine) =>
  taxClass === 'parts' || taxClass === 'materials' ? goodsMinor : 0;

/**
 * Computes the taxable amount of a line in minor units: all of it, or parts and materials only. The narrower base
 * excludes labor, sublets and fees, which are services. Lines outside the total are not taxed.
 */
function computeTaxable(line: EstimateLine, ctx: PricingContext): number {
  if (!isCounted(line)) return 0;
  return findTaxBase(ctx) === 'everything' ? priceLine(line, ctx) : priceTaxedGoods(line);
}
