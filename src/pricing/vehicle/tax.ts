import { roundHalfUp } from '../../domain/money.ts';
import type { PricingContext } from '../context.ts';
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

/** The region's tax on the repair; undefined where the region has none. A row without a base taxes goods only. */
export function taxOf(estimate: VehicleEstimate, ctx: PricingContext): Tax | undefined {
  const { tax_rate: rate, tax } = ctx.region;
  if (rate === 0) return undefined;
  const base = tax?.base ?? 'parts_and_materials';
  const netMinor = estimate.adjusted.est;
  const goods = estimate.departments
    .filter((row) => row.department === 'parts' || row.department === 'materials')
    .reduce((sum, row) => sum + row.totalMinor, 0);
  const taxableMinor = base === 'everything' ? netMinor : goods;
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
