import type { PricingContext } from '../pricing-context.ts';
import { computeTaxable, findTaxBase } from '../vehicle/tax.ts';
import { type EstimateLine, findRate, priceLabour, priceLine } from './line.ts';

/** A line of an estimate with what it comes to. Minor units of the response currency. */
export interface PricedLine extends EstimateLine {
  /** Per hour; null where the line has no hours, or a price that holds whatever the hours. */
  readonly rateMinor: number | null;
  readonly labourMinor: number;
  /** Of the part, material, sublet work or fee; undefined where the line buys nothing. */
  readonly priceMinor: number | undefined;
  /** Labour and goods together. */
  readonly amountMinor: number;
  /** What of the amount the region taxes. */
  readonly taxableMinor: number;
}

/** Returns the lines of an estimate with their amounts; those of the lines in the total add up to it. */
export function priceEstimateLines(
  lines: readonly EstimateLine[],
  ctx: PricingContext,
): readonly PricedLine[] {
  const base = findTaxBase(ctx);
  return lines.map((line) => {
    const buys = line.group !== 'rounding' && (line.goodsMinor !== 0 || line.taxClass !== 'labour');
    return {
      ...line,
      rateMinor: findRate(line, ctx),
      labourMinor: priceLabour(line, ctx),
      priceMinor: buys ? line.goodsMinor : undefined,
      amountMinor: priceLine(line, ctx),
      taxableMinor: computeTaxable(line, base, ctx),
    };
  });
}
