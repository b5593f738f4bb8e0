import { roundHalfAway } from '../../domain/money.ts';
import { formatCount } from '../../lib/format-count.ts';
import { sumBy } from '../../lib/lists.ts';
import { convertTablePrice, type PricingContext } from '../pricing-context.ts';
import type { PricingDamage } from './damage.ts';
import type { Line } from './repair-plan.ts';
import type { Target } from './target.ts';

/** Returns the factor on the table's prices: the region's own hourly rate over the table's, else the market's level. */
function computePriceFactor(ctx: PricingContext): number {
  const { departments, price_level: level } = ctx.region;
  if (departments.pdr === undefined) return level?.pdr ?? 1;
  return ctx.rates.pdr.est / convertTablePrice(ctx.tables.pdr.hour_price, ctx);
}

/** Returns a dent's length in centimeters: measured, else the typical one of its severity, as the matrix prices length. */
const readDentSizeCm = (damage: PricingDamage, ctx: PricingContext): number =>
  damage.sizeCm ?? ctx.tables.operations.typical_size_cm[damage.severity];

const countDents = (dents: readonly PricingDamage[]) => sumBy(dents, ({ count = 1 }) => count);

/**
 * Computes the PDR price of all dents of one panel, and its source: the price of the matrix (panel, count, largest size)
 * plus a surcharge per oversize step, both marked up for depth and aluminium. Excludes the minimum charge, which applies
 * once per vehicle. Undefined if the matrix rules out PDR for the panel.
 */
export function computeMatrixPrice(dents: readonly PricingDamage[], target: Target, ctx: PricingContext) {
  const table = ctx.tables.pdr;
  const panel = table.flat_panels.some((part) => part === target.part) ? 'flat' : 'side';
  const largest = Math.max(...dents.map((dent) => readDentSizeCm(dent, ctx)));
  if (largest > table.max_cm) return undefined;
  const count = countDents(dents);
  const row = table.rows.find((one) => one.panel === panel && count <= one.up_to_dents);
  if (row === undefined) return undefined;
  const largestClass = table.sizes.at(-1);
  const sizeClass = table.sizes.find(({ up_to_cm }) => largest <= up_to_cm) ?? largestClass;
  const cell = sizeClass ? row.price[sizeClass.size as keyof typeof row.price] : null;
  if (cell === null) return undefined;
  const largestSizeCm = largestClass?.up_to_cm ?? 0;
  const oversize = sumBy(dents, (dent) => {
    const steps = Math.ceil(Math.max(0, readDentSizeCm(dent, ctx) - largestSizeCm) / table.oversize_step_cm);
    return steps * (dent.count ?? 1);
  });
  const depthFactor = Math.max(...dents.map((dent) => table.depth[dent.severity]));
  const metalFactor = target.material === 'aluminium' ? table.aluminium : 1;
  const price = (cell + oversize * table.oversize_each) * depthFactor * metalFactor;
  return { priceMinor: convertTablePrice(price * computePriceFactor(ctx), ctx), source: row.source };
}

/** Returns the minimum charge of a PDR visit, in minor units. */
const computePdrMinimum = (ctx: PricingContext) =>
  convertTablePrice(ctx.tables.pdr.minimum_charge * computePriceFactor(ctx), ctx);

/**
 * Creates the PDR line of one panel on its own, priced by the matrix or the minimum charge if higher; undefined without
 * dents or a matrix price. The hours only affect the repair duration.
 */
export function makePdrLine(
  dents: readonly PricingDamage[],
  target: Target,
  ctx: PricingContext,
): Line | undefined {
  const matrix = dents.length === 0 ? undefined : computeMatrixPrice(dents, target, ctx);
  if (matrix === undefined) return undefined;
  const { priceMinor: listMinor, source } = matrix;
  const perHour = convertTablePrice(ctx.tables.pdr.hour_price * computePriceFactor(ctx), ctx);
  const count = countDents(dents);
  return {
    operation: 'PDR',
    part: target.name,
    quantity: count === 1 ? undefined : count,
    department: 'pdr',
    hoursTenths: Math.max(1, roundHalfAway((listMinor * 10) / perHour)),
    fixed: { minor: Math.max(computePdrMinimum(ctx), listMinor), listMinor },
    basis: 'table',
    note: `${formatCount(count, 'dent')}, price of the matrix`,
    source,
  };
}

/**
 * Reprices the PDR lines of all panels for a single visit: each panel at its list price, with any shortfall to the
 * minimum charge added to the first line. Keeps the grouping by panel.
 */
export function joinPdrVisits(panels: readonly (readonly Line[])[], ctx: PricingContext): Line[][] {
  const visit = panels.flat().filter(({ operation }) => operation === 'PDR');
  const listMinor = sumBy(visit, ({ fixed }) => fixed?.listMinor ?? 0);
  let shortfallMinor = Math.max(0, computePdrMinimum(ctx) - listMinor);
  return panels.map((lines) =>
    lines.map((line) => {
      if (line.operation !== 'PDR' || line.fixed === undefined) return line;
      const minor = line.fixed.listMinor + shortfallMinor;
      shortfallMinor = 0;
      return { ...line, fixed: { ...line.fixed, minor } };
    }),
  );
}
