import { type PricingContext, tablePriceMinor } from '../context.ts';
import { PDR_SIZES } from '../tables/kinds.ts';
import type { PricingDamage } from './damage.ts';
import type { Target } from './target.ts';

/** Length that counts for a dent: the measured one, or the usual one of its severity. */
export function dentSizeCm(damage: PricingDamage, ctx: PricingContext): number {
  return damage.sizeCm ?? ctx.tables.operations.typical_size_cm[damage.severity];
}

/**
 * Price of removing all dents of one panel without paint, minor units, by the matrix (panel, count, size of the
 * largest), mark-ups for aluminium and depth, oversize dents each, and the minimum charge. Undefined where the
 * matrix sends the panel to conventional repair.
 */
export function pdrPriceMinor(
  dents: readonly PricingDamage[],
  target: Target,
  ctx: PricingContext,
): number | undefined {
  const table = ctx.tables.pdr;
  const panel = table.flat_panels.some((part) => part === target.part) ? 'flat' : 'side';
  const sizes = dents.map((dent) => dentSizeCm(dent, ctx));
  const largest = Math.max(...sizes);
  if (largest > table.max_cm) return undefined;
  const count = dents.reduce((sum, dent) => sum + (dent.count ?? 1), 0);
  const row = table.rows.find((candidate) => candidate.panel === panel && count <= candidate.up_to_dents);
  const index = table.sizes.findIndex((size) => largest <= size.up_to_cm);
  const cell = row?.price[PDR_SIZES[index === -1 ? PDR_SIZES.length - 1 : index] ?? 'half_dollar'];
  if (cell === undefined || cell === null) return undefined;
  const coin = table.sizes.at(-1)?.up_to_cm ?? 0;
  const oversize = dents.reduce((sum, dent, i) => {
    const steps = Math.ceil(Math.max(0, (sizes[i] ?? 0) - coin) / table.oversize_step_cm);
    return sum + steps * table.oversize_each * (dent.count ?? 1);
  }, 0);
  const depth = Math.max(...dents.map((dent) => table.depth[dent.severity]));
  const metal = target.material === 'aluminium' ? table.aluminium : 1;
  return tablePriceMinor(Math.max(table.minimum_charge, (cell + oversize) * depth * metal), ctx);
}

/** Hours that bill a fixed price at the body rate: price / rate, rounded up to a tenth. */
export function hoursForPrice(priceMinor: number, rateMinor: number): number {
  return Math.ceil(Number(((priceMinor * 10) / rateMinor).toFixed(6)));
}
