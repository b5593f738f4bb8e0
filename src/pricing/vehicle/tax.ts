import { roundProduct } from '../../domain/money.ts';
import { type EstimateLine, priceExpected, priceLine } from '../lines/line.ts';
import type { PricingContext } from '../pricing-context.ts';
import type { VehicleEstimate } from './vehicle.ts';

/**
 * Computes the taxable amount of a line in minor units: all of it, or parts and materials only. The narrower base
 * excludes labor, sublets and fees, which are services. Lines outside the total are not taxed.
 */
export function computeTaxable(line: EstimateLine, ctx: PricingContext): number {
  if (line.countedIn !== 'total') return 0;
  if (findTaxBase(ctx) === 'everything') return priceLine(line, ctx);
  return isGoods(line) ? line.goodsMinor : 0;
}

const isGoods = ({ taxClass }: EstimateLine) => taxClass === 'parts' || taxClass === 'materials';

/** Computes the goods of an expected line, including paint materials for its refinish hours. */
const computeTaxableGoods = (line: EstimateLine, ctx: PricingContext) =>
  (isGoods(line) ? line.goodsMinor : 0) + priceExpected(line, ctx) - priceLine(line, ctx);

/** Returns the region's tax base; goods only by default. */
const findTaxBase = ({ region }: PricingContext) => region.tax?.base ?? 'parts_and_materials';

/** Computes the region's tax on the repair, in minor units; undefined if the tax rate is 0. Totals elsewhere are net. */
export function computeTax(estimate: VehicleEstimate, ctx: PricingContext) {
  const { tax_rate: rate, tax: named } = ctx.region;
  if (rate === 0) return undefined;
  const base = findTaxBase(ctx);
  const { firstBill, total } = estimate;
  const taxableMinor = estimate.lines.reduce((sum, line) => sum + computeTaxable(line, ctx), 0);
  const tax = (amount: number) => roundProduct(amount * rate);
  const amountMinor = tax(taxableMinor);
  const expectedTaxable = estimate.lines
    .filter((line) => line.countedIn === 'range')
    .reduce((sum, line) => sum + line.weight * (line.frequency ?? 1) * computeTaxableGoods(line, ctx), 0);
  return {
    name: named?.name ?? 'tax',
    rate,
    base,
    taxableMinor,
    amountMinor,
    netMinor: total.est,
    grossMinor: total.est + amountMinor,
    firstBillGrossMinor:
      firstBill.est + tax(base === 'everything' ? firstBill.est : taxableMinor + expectedTaxable),
    source: named?.source ?? ctx.region.source,
  };
}
