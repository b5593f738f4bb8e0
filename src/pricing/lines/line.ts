import { roundHalfAway, toMinor } from '../../domain/money.ts';
import type { Department, Operation } from '../../domain/repair.ts';
import { computeLabour } from '../option/price.ts';
import { isBought, type Line, type PlanPart } from '../option/repair-plan.ts';
import type { PricingContext } from '../pricing-context.ts';

/** What a price on a line is for tax; the hours of a line are always labour. */
export type TaxClass = 'labour' | 'parts' | 'materials' | 'sublet' | 'fee';

/**
 * Where a line comes from: a part, paint over all panels, paint materials, flat fees, what a repair brings, a person,
 * rounding.
 */
type LineGroup = 'part' | 'refinish' | 'materials' | 'fee' | 'expected' | 'added' | 'rounding';

/** What was computed before a person changed a line; the price is that of the goods, or of work at a fixed price. */
interface ComputedFigures {
  readonly hoursTenths: number;
  readonly priceMinor: number;
  readonly counted: EstimateLine['counted'];
}

/** One line of an estimate. Minor units of the response currency. */
export interface EstimateLine {
  /** The same in every version of the estimate: `hood/rpr`, `front_fender_left/fender_liner/rr`. */
  readonly id: string;
  /** Place in the estimate as computed, from 1, expected lines from 101; a removed line keeps it, an added one takes the next. */
  readonly number: number;
  readonly group: LineGroup;
  readonly operation: Operation;
  readonly part: string;
  /** The panel it belongs to, or whose repair brings it; undefined where it is of the whole vehicle. */
  readonly because: string | undefined;
  readonly damageIds: readonly string[];
  /** Where it is not one. */
  readonly quantity?: number | undefined;
  readonly department: Department;
  readonly hoursTenths: number;
  readonly overlapTenths?: Line['overlapTenths'];
  /** A price of the work that holds whatever the hours. */
  readonly fixedMinor: number | undefined;
  /** Price of the part, the material, the sublet work or the fee; 0 where there is none. */
  readonly goodsMinor: number;
  readonly partSource: PlanPart['source'] | undefined;
  readonly taxClass: TaxClass;
  readonly basis: Line['basis'];
  readonly note: string;
  readonly source: string;
  /** In the total, in the first bill by its share of jobs, or in neither as a person removed it. */
  readonly counted: 'total' | 'range' | 'removed';
  /** Share of such jobs on which it stands, of expected lines. */
  readonly frequency: number | undefined;
  /** How much of that share the first bill holds, 0 to 1; 0 where the damage says nothing of what lies behind. */
  readonly weight: number;
  readonly setByPerson: boolean;
  readonly computed: ComputedFigures | undefined;
  readonly reason: string | undefined;
}

/** A line before it has its place in the estimate. */
export type UnnumberedLine = Omit<EstimateLine, 'number'>;

/** Returns what the price of something that a plan buys is for tax. */
export const findTaxClass = (one: Pick<PlanPart, 'type'>): TaxClass =>
  isBought(one) ? 'parts' : one.type === 'sublet' ? 'sublet' : 'materials';

/** What a line has where nothing else is said: hours of labour in the total, no price. */
export const PLAIN_LINE = {
  because: undefined,
  damageIds: [],
  fixedMinor: undefined,
  goodsMinor: 0,
  partSource: undefined,
  taxClass: 'labour',
  counted: 'total',
  frequency: undefined,
  weight: 0,
  setByPerson: false,
  computed: undefined,
  reason: undefined,
} as const;

/** Returns a line for work, as far as work says what it is. */
export const makeWorkLine = ({ fixed, source, ...work }: Line) => ({ ...PLAIN_LINE, ...work });

/** Returns an operation code as it appears in the id of a line: `R&R` is `rr`. */
export function makeSlug(operation: Operation): string {
  return operation.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/**
 * Returns the rate of a line's hours, minor units per hour; null where it has none, or a price that holds whatever the
 * hours.
 */
export function findRate(line: EstimateLine, ctx: PricingContext): number | null {
  return line.fixedMinor !== undefined || line.hoursTenths === 0 ? null : ctx.rates[line.department].est;
}

/** Returns the price of a line's labour, minor units: hours x rate, half up. */
export function priceLabour(line: UnnumberedLine, ctx: PricingContext): number {
  return line.fixedMinor ?? computeLabour(line.hoursTenths, ctx.rates[line.department].est);
}

/** Returns labour and goods of a line together, minor units. */
export function priceLine(line: UnnumberedLine, ctx: PricingContext): number {
  return priceLabour(line, ctx) + line.goodsMinor;
}

/** Returns labour and goods of an expected line, and the paint materials that its hours bring; minor units. */
export function priceExpected(line: UnnumberedLine, ctx: PricingContext): number {
  const paint = line.department === 'refinish' ? computeLabour(line.hoursTenths, ctx.materials.est) : 0;
  return priceLine(line, ctx) + paint;
}

/** Returns what an expected line adds to the first bill, minor units; nothing where it is in the total, or removed. */
export function priceShare(line: UnnumberedLine, ctx: PricingContext, weight = line.weight): number {
  if (line.counted !== 'range') return 0;
  return roundHalfAway(weight * (line.frequency ?? 1) * priceExpected(line, ctx));
}

/** Returns whether a line is in the total. */
export const isCounted = ({ counted }: Pick<EstimateLine, 'counted'>): boolean => counted === 'total';

/** Returns where a line counts; an expected one nowhere where the damage says nothing of what lies behind. */
export function findCounted({ counted, weight }: EstimateLine): 'total' | 'range' | 'none' {
  if (counted === 'total') return counted;
  return counted === 'range' && weight > 0 ? counted : 'none';
}

/** Returns the price of a line's labour before rounding, minor units. */
export function priceWork(line: EstimateLine, ctx: PricingContext): number {
  return line.fixedMinor ?? (line.hoursTenths * ctx.rates[line.department].est) / 10;
}

/** Returns whether a line has no range: a fee, what a person set, and the rounding. */
export const isAgreed = (line: Pick<EstimateLine, 'group' | 'computed'>) =>
  ['added', 'fee', 'rounding'].includes(line.group) || line.computed !== undefined;

/** Returns the most that a region charges for the paint materials of a vehicle, minor units. */
export function findMaterialsCap(ctx: PricingContext): number {
  const cap = ctx.region.caps?.materials;
  return cap === undefined ? Number.POSITIVE_INFINITY : toMinor(cap * (ctx.fx?.rate ?? 1), ctx.currency);
}
