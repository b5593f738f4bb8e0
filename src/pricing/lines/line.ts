import { roundHalfAway } from '../../domain/money.ts';
import type { COUNTED_IN, Department, LINE_GROUPS, Operation, TAX_CLASSES } from '../../domain/repair.ts';
import { computeLabor, computeUnroundedLabor } from '../option/price.ts';
import { isBought, type Line, type PlanPart } from '../option/repair-plan.ts';
import type { Target } from '../option/target.ts';
import type { PricingContext } from '../pricing-context.ts';

type TaxClass = (typeof TAX_CLASSES)[number];

/** A line of an estimate, in minor units of the response currency. */
export interface EstimateLine {
  /** Stable across all versions of the estimate: `hood/rpr`, `front_fender_left/fender_liner/rr`. */
  readonly id: string;
  /** From 1, of expected lines after the next multiple of 100. A removed line keeps it, an added one takes the next. */
  readonly number: number;
  readonly group: (typeof LINE_GROUPS)[number];
  readonly operation: Operation;
  readonly part: string;
  /** Panel to which the line belongs or whose repair requires it; undefined if it applies to the whole vehicle. */
  readonly requiredBy: string | undefined;
  readonly damageIds: readonly string[];
  /** Number of units; absent for one. */
  readonly quantity?: number | undefined;
  readonly department: Department;
  readonly hoursTenths: number;
  readonly overlapTenths?: Line['overlapTenths'];
  /** Labor price that is independent of the hours. */
  readonly fixedMinor: number | undefined;
  /** Price of the part, material, sublet or fee; 0 if there is none. */
  readonly goodsMinor: number;
  readonly partSource: PlanPart['source'] | undefined;
  readonly taxClass: TaxClass;
  readonly basis: Line['basis'];
  readonly note: string;
  readonly source: string;
  /** `none` for a line removed by a user, and for an expected line of weight 0 in a finished estimate. */
  readonly countedIn: (typeof COUNTED_IN)[number];
  /** Share of such jobs that include an expected line, 0 to 1; undefined for other lines. */
  readonly frequency: number | undefined;
  /** Fraction of that share included in the first bill, 0 to 1; 0 if the damage does not suggest hidden damage. */
  readonly weight: number;
  readonly isManual: boolean;
  /** True if an agreed price of the whole part sets the line's. */
  readonly isAgreed: boolean;
  /** Values before a user's change; the price is that of the goods or of fixed-price labor, undefined for hourly labor. */
  readonly computed:
    | (Pick<EstimateLine, 'hoursTenths' | 'countedIn'> & { readonly priceMinor: number | undefined })
    | undefined;
  readonly reason: string | undefined;
}

export type UnnumberedLine = Omit<EstimateLine, 'number'>;

/** Returns the tax class of a part, consumable or sublet. */
export const findTaxClass = (one: Pick<PlanPart, 'type'>): TaxClass =>
  isBought(one) ? 'parts' : one.type === 'sublet' ? 'sublet' : 'materials';

/** Default fields of a line: labor in the total, no hours, no price. */
export const LINE_DEFAULTS = {
  department: 'body',
  hoursTenths: 0,
  requiredBy: undefined,
  damageIds: [],
  fixedMinor: undefined,
  goodsMinor: 0,
  partSource: undefined,
  taxClass: 'labor',
  countedIn: 'total',
  frequency: undefined,
  weight: 0,
  isManual: false,
  isAgreed: false,
  computed: undefined,
  reason: undefined,
} as const;

/** Converts labor to a line, without id, group and other fields that the caller sets. */
export const makeLaborLine = ({ fixed, source, ...work }: Line) => ({ ...LINE_DEFAULTS, ...work });

/** Converts an operation code to its form in a line id: `R&R` becomes `rr`. */
export const makeSlug = (operation: Operation): string =>
  operation.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Returns the id of the line that paints a target. */
export const makePaintId = ({ key }: Pick<Target, 'key'>) => `${key}/${makeSlug('Refn')}`;

/** Computes a line's labor cost in minor units: hours x rate, rounded half up, or its fixed price. */
export const priceLabor = (line: UnnumberedLine, ctx: PricingContext): number =>
  roundHalfAway(priceUnroundedLabor(line, ctx));

/** Computes a line's labor cost before rounding, in minor units. */
export const priceUnroundedLabor = (line: UnnumberedLine, ctx: PricingContext): number =>
  line.fixedMinor ?? computeUnroundedLabor(line.hoursTenths, ctx.rates[line.department].est);

/** Computes a line's labor and goods in minor units. */
export const priceLine = (line: UnnumberedLine, ctx: PricingContext) =>
  priceLabor(line, ctx) + line.goodsMinor;

/** Returns true for a line with a price of its own, apart from labor. */
export const hasGoods = ({ goodsMinor, taxClass }: UnnumberedLine) =>
  goodsMinor !== 0 || taxClass !== 'labor';

/** Computes an expected line's labor, goods and paint materials for its refinish hours, in minor units. */
export function priceExpected(line: UnnumberedLine, ctx: PricingContext): number {
  const paint = line.department === 'refinish' ? computeLabor(line.hoursTenths, ctx.materials.est) : 0;
  return priceLine(line, ctx) + paint;
}

/** Computes an expected line's price times frequency and `weight` (default: that of the first bill); others are 0. */
export function priceExpectedShare(line: UnnumberedLine, ctx: PricingContext, weight = line.weight): number {
  if (line.countedIn !== 'range') return 0;
  return roundHalfAway(weight * (line.frequency ?? 1) * priceExpected(line, ctx));
}

export const isCounted = ({ countedIn }: Pick<EstimateLine, 'countedIn'>): boolean => countedIn === 'total';

/** Counts the refinish time that needs paint materials, in tenths of an hour; a fixed price includes them. */
export const countMaterialTenths = ({ department, fixedMinor, hoursTenths }: UnnumberedLine): number =>
  department === 'refinish' && fixedMinor === undefined ? hoursTenths : 0;

/** Returns true for lines without a range: fees, a user's lines and changes, and rounding. */
export const isExact = (line: Pick<EstimateLine, 'group' | 'computed'>) =>
  ['added', 'fee', 'rounding'].includes(line.group) || line.computed !== undefined;
