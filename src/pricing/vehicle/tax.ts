import { roundProduct } from '../../domain/money.ts';
import { sumBy } from '../../lib/lists.ts';
import { findTaxBase, type PricedLine, priceTaxedGoods } from '../lines/finish-line.ts';
import { priceExpected } from '../lines/line.ts';
import type { PricingContext } from '../pricing-context.ts';
import type { VehicleEstimate } from './estimate-vehicle.ts';

/** Computes the goods of an expected line, including paint materials for its refinish hours. */
const computeExpectedGoods = (line: PricedLine, ctx: PricingContext) =>
  priceTaxedGoods(line) + priceExpected(line, ctx) - line.amountMinor;

/** Computes the region's tax on the repair, in minor units; undefined if the tax rate is 0. */
export function computeTax(estimate: VehicleEstimate, ctx: PricingContext) {
  const { tax_rate: rate, tax: named } = ctx.region;
  if (rate === 0) return undefined;
  const base = findTaxBase(ctx);
  const { firstBill, total } = estimate;
  const taxableMinor = sumBy(estimate.lines, (line) => line.taxableMinor);
  const tax = (amount: number) => roundProduct(amount * rate);
  const amountMinor = tax(taxableMinor);
  const expectedTaxable = sumBy(
    estimate.lines.filter((line) => line.countedIn === 'range'),
    (line) => line.weight * (line.frequency ?? 1) * computeExpectedGoods(line, ctx),
  );
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
