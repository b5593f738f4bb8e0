import type { PricingContext } from '../pricing-context.ts';
import { type EstimateLine, isCounted, priceLabor, priceLine } from './line.ts';

export interface PricedLine extends EstimateLine {
  /** Per hour; null without hours or with a fixed price. */
  readonly rateMinor: number | null;
  readonly laborMinor: number;
  /** Price of the goods; null for a line of labor alone and for rounding. */
  readonly priceMinor: number | null;
  readonly amountMinor: number;
  /** Taxable share of the amount. */
  readonly taxableMinor: number;
}

/** Prices a line with its weight set, and decides in which total it counts. */
export function finishLine(line: EstimateLine, ctx: PricingContext): PricedLine {
  const { group, fixedMinor, hoursTenths, goodsMinor, computed } = line;
  const settle = (countedIn: EstimateLine['countedIn']) =>
    countedIn === 'range' && line.weight === 0 ? 'none' : countedIn;
  const hasGoods = group !== 'rounding' && (goodsMinor !== 0 || line.taxClass !== 'labor');
  return {
    ...line,
    countedIn: settle(line.countedIn),
    computed: computed && { ...computed, countedIn: settle(computed.countedIn) },
    rateMinor: fixedMinor !== undefined || hoursTenths === 0 ? null : ctx.rates[line.department].est,
    laborMinor: priceLabor(line, ctx),
    priceMinor: hasGoods ? goodsMinor : null,
    amountMinor: priceLine(line, ctx),
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
