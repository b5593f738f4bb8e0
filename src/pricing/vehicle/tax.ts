import { roundHalfUp } from '../../domain/money.ts';
import { type EstimateLine, priceLine } from '../lines/line.ts';
import type { PricingContext } from '../pricing-context.ts';
import type { VehicleEstimate } from './vehicle.ts';

/** Tax on the vehicle's repair, minor units. Totals elsewhere are net. */
export interface Tax {
  readonly name: string;
  /** Share of the taxable amount. */
  readonly rate: number;
  readonly base: 'everything' | 'parts_and_materials';
  readonly taxableMinor: number;
  readonly amountMinor: number;
  readonly netMinor: number;
  readonly grossMinor: number;
  readonly source: string;
}

/**
 * Returns the part of a line that is taxed, minor units, by what it is: all of it, or parts and materials alone; not
 * labour, nor sublet work and fees, which are services. Lines that do not count are not taxed.
 */
export function computeTaxable(line: EstimateLine, base: Tax['base'], ctx: PricingContext): number {
  if (line.counted !== 'total') return 0;
  if (base === 'everything') return priceLine(line, ctx);
  return line.taxClass === 'parts' || line.taxClass === 'materials' ? line.goodsMinor : 0;
}

/** Returns the base of the region's tax; a row without one taxes goods only. */
export function findTaxBase(ctx: PricingContext): Tax['base'] {
  return ctx.region.tax?.base ?? 'parts_and_materials';
}

/** Returns the region's tax on the repair; undefined where the region has none. */
export function computeTax(estimate: VehicleEstimate, ctx: PricingContext): Tax | undefined {
  const { tax_rate: rate, tax } = ctx.region;
  if (rate === 0) return undefined;
  const base = findTaxBase(ctx);
  const netMinor = estimate.adjusted.est;
  const taxableMinor = estimate.lines.reduce((sum, line) => sum + computeTaxable(line, base, ctx), 0);
  const amountMinor = roundHalfUp(Number((taxableMinor * rate).toFixed(6)));
  return {
    name: tax?.name ?? 'tax',
    rate,
    base,
    taxableMinor,
    amountMinor,
    netMinor,
    grossMinor: netMinor + amountMinor,
    source: tax?.source ?? ctx.region.source,
  };
}
