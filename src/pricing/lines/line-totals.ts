import { roundProduct } from '../../domain/money.ts';
import { DEPARTMENTS } from '../../domain/repair.ts';
import { sumBy } from '../../lib/lists.ts';
import { addSpreads, findSpreadFactors, spreadMinor } from '../option/spread.ts';
import { makeSpread, type PricingContext, type Spread } from '../pricing-context.ts';
import { finishLine } from './finish-line.ts';
import {
  countMaterialTenths,
  type EstimateLine,
  isCounted,
  isExact,
  LINE_DEFAULTS,
  priceExpectedShare,
  priceLine,
  priceUnroundedLabor,
} from './line.ts';
import { findNextNumber } from './materials-and-fees.ts';

/** Fraction of expected operations included in the first bill, 0 to 1. */
export interface ExpectedWeight {
  /** The maximum; applies to operations of the whole vehicle and to parts outside all zones. */
  readonly vehicle: number;
  /** Weight per zone, ordered as in the table. */
  readonly zones: readonly { readonly parts: readonly string[]; readonly weight: number }[];
}

/** Returns the weight of a part: the maximum of its zones, or the vehicle's. */
function readWeight(weight: ExpectedWeight, part: string | undefined): number {
  const ownZones = weight.zones.filter(({ parts }) => part !== undefined && parts.includes(part));
  return ownZones.length === 0 ? weight.vehicle : Math.max(...ownZones.map((zone) => zone.weight));
}

export type LineTotals = ReturnType<typeof totalLines>;

/**
 * Sums the lines, in minor units. Each department is hours x rate, rounded once, as is usual for estimates. A separate
 * line absorbs the rounding of single lines, so the lines add up to the total exactly. `weight` is the fraction of
 * expected operations included in the first bill.
 */
export function totalLines(edited: readonly EstimateLine[], weight: ExpectedWeight, ctx: PricingContext) {
  const lines = edited.map((line) => ({ ...line, weight: readWeight(weight, line.requiredBy) }));
  const counted = lines.filter(isCounted);
  const departments = sumDepartments(counted, ctx);
  const netMinor = sumBy(departments, (row) => row.totalMinor);
  const roundingMinor = netMinor - sumBy(counted, (line) => priceLine(line, ctx));
  const rounding = roundingMinor === 0 ? [] : [makeRoundingLine(roundingMinor, findNextNumber(lines))];
  const expected = lines.filter((line) => line.countedIn === 'range');
  const shares = expected.map((line) => ({ ...line, minor: priceExpectedShare(line, ctx) }));
  const countedAmounts = [...counted, ...rounding].map((line) => ({ ...line, minor: priceLine(line, ctx) }));
  return {
    /** The lines, plus a rounding line if needed; the counted amounts add up to the total. */
    lines: [...lines, ...rounding].map((line) => finishLine(line, ctx)),
    departments,
    total: addRanges(countedAmounts, ctx),
    /** The total plus expected operations, weighted as in a first bill. */
    firstBill: addRanges([...countedAmounts, ...shares], ctx),
    /** The total plus all expected operations, each weighted by its frequency; undefined if there are none. */
    expectedMinor:
      expected.length === 0
        ? undefined
        : netMinor + sumBy(expected, (line) => priceExpectedShare(line, ctx, 1)),
    hoursTenths: sumBy(counted, (line) => line.hoursTenths),
  };
}

/** Sums the counted lines, in minor units. */
export const sumCounted = (lines: readonly EstimateLine[], ctx: PricingContext): number =>
  sumBy(sumDepartments(lines.filter(isCounted), ctx), (row) => row.totalMinor);

type Amount = Pick<EstimateLine, 'requiredBy' | 'group' | 'computed'> & { readonly minor: number };

/** Sums amounts with the spread of their part; exact amounts have none. */
function addRanges(amounts: readonly Amount[], ctx: PricingContext): Spread {
  const byPart = new Map<string | undefined, number>();
  let exactMinor = 0;
  for (const one of amounts) {
    if (isExact(one)) exactMinor += one.minor;
    else byPart.set(one.requiredBy, (byPart.get(one.requiredBy) ?? 0) + one.minor);
  }
  const shared = spreadMinor(byPart.get(undefined) ?? 0, findSpreadFactors(undefined, ctx));
  byPart.delete(undefined);
  const spreads = [...byPart].map(([part, minor]) => spreadMinor(minor, findSpreadFactors(part, ctx)));
  const joined = addSpreads(spreads, shared, ctx);
  return makeSpread((end) => exactMinor + joined[end]);
}

const GOODS = ['parts', 'materials', 'sublet', 'fees'] as const;
/** Returns the total to which a line's price is added. */
const findGoods = ({ group, taxClass }: EstimateLine): (typeof GOODS)[number] => {
  if (group === 'materials') return group;
  return taxClass === 'sublet' ? taxClass : taxClass === 'fee' ? 'fees' : 'parts';
};

/** Sums labor by department, then goods; omits empty totals. A rate is null unless the total is hours x rate. */
function sumDepartments(counted: readonly EstimateLine[], ctx: PricingContext) {
  const isPaintSet = counted.some(({ group, isManual }) => group === 'materials' && isManual);
  return [
    ...DEPARTMENTS.map((department) => {
      const own = counted.filter((line) => line.department === department);
      const isHourly = own.every(({ fixedMinor }) => fixedMinor === undefined);
      return {
        department,
        hoursTenths: sumBy(own, (line) => line.hoursTenths),
        rateMinor: isHourly ? ctx.rates[department].est : null,
        totalMinor: roundProduct(sumBy(own, (line) => priceUnroundedLabor(line, ctx))),
      };
    }),
    ...GOODS.map((department) => {
      const isPaint = department === 'materials';
      return {
        department,
        hoursTenths: isPaint ? sumBy(counted, countMaterialTenths) : 0,
        rateMinor: isPaint && !isPaintSet ? ctx.materials.est : null,
        totalMinor: sumBy(counted, (line) => (findGoods(line) === department ? line.goodsMinor : 0)),
      };
    }),
  ].filter((row) => row.totalMinor !== 0 || (row.hoursTenths !== 0 && row.department !== 'materials'));
}

function makeRoundingLine(minor: number, number: number): EstimateLine {
  return {
    ...LINE_DEFAULTS,
    id: 'rounding/adj',
    number,
    group: 'rounding',
    operation: 'Adj',
    part: 'rounding',
    goodsMinor: minor,
    basis: 'formula',
    note: 'hours x rate is rounded once per department',
    source: 'formula: hours x rate is rounded once per department',
  };
}
