import { sumOf } from '../../lib/sum.ts';
import { findMaterialsCap, priceExpected, priceShare } from '../lines/line.ts';
import { computePdrMinimum } from '../option/pdr.ts';
import { makePaintLines, type PricedOption, sumDepartmentTenths } from '../option/price.ts';
import { isMinor } from '../option/refinish.ts';
import { isPaint, type Line, type RefinishEntry } from '../option/repair-plan.ts';
import type { PricingContext } from '../pricing-context.ts';
import { type AssociatedRow, makeAssociatedLine } from './associated.ts';
import type { Repaired } from './panel-repair.ts';
import { isMaterials } from './vehicle-price.ts';

/** More than rounding departments and goods takes off a sum, minor units. */
const ROUNDING_MINOR = 10;

/**
 * Returns what a way of repair adds to the price of the vehicle at least, whatever else is repaired and how; minor
 * units, less what rounding may take off. Body work and parts count in full, what other panels may share less the most
 * that sharing saves: PDR without the minimum of the visit, paint without its overlap and the blend that it replaces,
 * taking the part off without what is expected for it; set-up, pulls, clear coat and blends not at all.
 * @param others all ways of all other panels
 */
export function computeLeastAdded(
  { target, option: way }: Repaired,
  others: readonly Repaired[],
  weight: number,
  ctx: PricingContext,
): number {
  const own = way.lines.filter((line) => !isPaint(line));
  const work = sumOf(own, (line) => ownMinor(line, ctx));
  const goods = sumOf(way.parts, (part) => (isMaterials(part, ctx) ? 0 : part.priceMinor));
  const paintTenths = boundPaintTenths(
    way,
    others.map(({ option }) => option),
    ctx,
  );
  const refinishTenths = paintTenths + sumDepartmentTenths(own, 'refinish');
  const free = findMaterialsCap(ctx) !== Number.POSITIVE_INFINITY && refinishTenths > 0;
  const materials = free ? 0 : refinishTenths * ctx.materials.est;
  const paint = (paintTenths * ctx.rates.refinish.est + materials) / 10;
  return work + goods + paint - boundTakenOffMinor(target.name, weight, ctx) - ROUNDING_MINOR;
}

/**
 * Returns the most that is expected where a panel is damaged along with another, and not where it is alone; minor units.
 */
export function computeMostExpectedTogether(panel: string, weight: number, ctx: PricingContext): number {
  if (isUncounted(weight, ctx)) return 0;
  const rows = ctx.tables.associated.rows.filter(
    ({ on, also }) => also !== undefined && (on.includes(panel) || also.includes(panel)),
  );
  return sumOf(rows, (row) => countMinor(row, panel, weight, ctx));
}

/** Returns the most that is expected for taking a part off, which its own repair makes needless. */
function boundTakenOffMinor(part: string, weight: number, ctx: PricingContext): number {
  if (isUncounted(weight, ctx)) return 0;
  const off = ctx.tables.associated.rows.filter(
    (row) => row.operation === 'R&I' && part.startsWith(row.part),
  );
  return Math.max(0, ...off.map((row) => countMinor(row, part, weight, ctx)));
}

/** Returns what an expected operation adds to the first bill, minor units. */
function countMinor(row: AssociatedRow, because: string, weight: number, ctx: PricingContext): number {
  const line = makeAssociatedLine(row, because, ctx);
  return line.counted === 'total' ? priceExpected(line, ctx) : priceShare({ ...line, weight }, ctx);
}

const isUncounted = (weight: number, ctx: PricingContext) =>
  ctx.associated === 'off' || (ctx.associated === 'likely' && weight === 0);

/** Returns the part of a line's price that no other panel shares, minor units before rounding. */
function ownMinor(line: Line, ctx: PricingContext): number {
  if (line.operation === 'Setup' || line.operation === 'Pull') return 0;
  if (line.fixed !== undefined) return Math.max(0, line.fixed.listMinor - computePdrMinimum(ctx));
  return (line.hoursTenths * ctx.rates[line.department].est) / 10;
}

/** Returns the refinish time that painting in this way adds at least, tenths of an hour. */
function boundPaintTenths(
  { plan }: PricedOption,
  others: readonly PricedOption[],
  ctx: PricingContext,
): number {
  const painted = new Set(others.flatMap((other) => other.plan.refinish.map((entry) => entry.part)));
  const blended = new Set(others.flatMap((other) => other.plan.blends));
  return plan.refinish.reduce((sum, entry) => {
    const blend = blended.has(entry.part) ? makePaintLines([], [entry.part], ctx) : [];
    const overlap = Math.round(boundOverlapHours(entry, painted, ctx) * 10);
    return sum + entry.baseTenths - overlap - sumDepartmentTenths(blend, 'refinish');
  }, 0);
}

/**
 * Returns the most by which painting a panel shortens paint: its own overlap, and that of each group of panels which it
 * joins to the others. Each neighbour may begin a group, and so may a part of the same name.
 */
function boundOverlapHours(entry: RefinishEntry, painted: ReadonlySet<string>, ctx: PricingContext): number {
  const { overlap_adjacent_hours, overlap_other_hours, overlap_minor_hours } = ctx.tables.refinish;
  if (isMinor(entry, ctx.tables.refinish)) return overlap_minor_hours;
  const neighbours = ctx.tables.parts.adjacent.filter(
    ([a = '', b = '']) => (a === entry.part && painted.has(b)) || (b === entry.part && painted.has(a)),
  );
  const joined = neighbours.length + (painted.has(entry.part) ? 1 : 0);
  return (
    Math.max(overlap_other_hours, overlap_minor_hours) +
    joined * (overlap_adjacent_hours - overlap_other_hours)
  );
}
