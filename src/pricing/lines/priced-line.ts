import type { PricingContext } from '../pricing-context.ts';
import { computeTaxable, findTaxBase } from '../vehicle/tax.ts';
import { type EstimateLine, findRate, priceLabor, priceLine } from './line.ts';

/** An estimate line with its amounts, in minor units of the response currency. */
export interface PricedLine extends EstimateLine {
  /** Hourly rate; null without hours or with a fixed price. */
  readonly rateMinor: number | null;
  readonly laborMinor: number;
  /** Price of the part, material, sublet or fee; undefined if the line has no goods. */
  readonly priceMinor: number | undefined;
  /** Labor and goods. */
  readonly amountMinor: number;
  /** Taxable portion of the amount. */
  readonly taxableMinor: number;
}

/** Adds the amounts to an estimate's lines; the amounts of the counted lines add up to the total. */
export function priceEstimateLines(
  lines: readonly EstimateLine[],
  ctx: PricingContext,
): readonly PricedLine[] {
  const base = findTaxBase(ctx);
  return lines.map((line) => {
    const hasGoods = line.group !== 'rounding' && (line.goodsMinor !== 0 || line.taxClass !== 'labor');
    return {
      ...line,
      rateMinor: findRate(line, ctx),
      laborMinor: priceLabor(line, ctx),
      priceMinor: hasGoods ? line.goodsMinor : undefined,
      amountMinor: priceLine(line, ctx),
      taxableMinor: computeTaxable(line, base, ctx),
    };
  });
}
