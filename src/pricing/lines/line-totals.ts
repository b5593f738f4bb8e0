import { roundProduct } from '../../domain/money.ts';
import { DEPARTMENTS, type Department } from '../../domain/repair.ts';
import { sumBy } from '../../lib/sum.ts';
import { sumDepartmentTenths } from '../option/price.ts';
import { findFactors, spreadMinor } from '../option/spread.ts';
import { makeSpread, type PricingContext, type Spread } from '../pricing-context.ts';
import { type ExpectedWeight, readWeight } from '../vehicle/expected-weight.ts';
import {
  type EstimateLine,
  isAgreed,
  isCounted,
  PLAIN_LINE,
  priceLine,
  priceShare,
  priceUnroundedLabor,
} from './line.ts';
import { findNextNumber } from './materials-and-fees.ts';

/** Total of one department, or of parts, paint materials, sublets or fees, in minor units. */
interface DepartmentTotal {
  readonly department: Department | (typeof GOODS)[number];
  readonly hoursTenths: number;
  readonly rateMinor: number | null;
  readonly totalMinor: number;
}

/** Totals of an estimate's lines, in minor units. */
export interface LineTotals {
  /** The lines, plus a rounding line if needed; the counted amounts add up to the total. */
  readonly lines: readonly EstimateLine[];
  readonly departments: readonly DepartmentTotal[];
  readonly total: Spread;
  /** The total plus expected operations, weighted as in a first bill. */
  readonly firstBill: Spread;
  /** The total plus all expected operations, each weighted by its frequency; undefined if there are none. */
  readonly expectedMinor: number | undefined;
  readonly hoursTenths: number;
  readonly refinishTenths: number;
}

/**
 * Sums the lines, in minor units. Each department is hours x rate, rounded once, as is usual for estimates. A separate
 * line absorbs the rounding of single lines, so the lines add up to the total exactly. `weight` is the fraction of
 * expected operations included in the first bill.
 */
export function totalLines(
  edited: readonly EstimateLine[],
  weight: ExpectedWeight,
  ctx: PricingContext,
): LineTotals {
  const lines = edited.map((line) =>
    line.counted === 'range' ? { ...line, weight: readWeight(weight, line.because) } : line,
  );
  const counted = lines.filter(isCounted);
  const departments = sumDepartments(counted, ctx);
  const est = sumBy(departments, (row) => row.totalMinor);
  const rounding = est - sumBy(counted, (line) => priceLine(line, ctx));
  const range = lines.filter((line) => line.counted === 'range');
  const shares = range.map((line) => ({ ...line, minor: priceShare(line, ctx) }));
  const countedAmounts: Amount[] = [
    ...counted.map((line) => ({ ...line, minor: priceLine(line, ctx) })),
    { ...makeRoundingLine(rounding, 0), minor: rounding },
  ];
  return {
    lines: rounding === 0 ? lines : [...lines, makeRoundingLine(rounding, findNextNumber(lines))],
    departments,
    total: addRanges(countedAmounts, weight, ctx),
    firstBill: addRanges([...countedAmounts, ...shares], weight, ctx),
    expectedMinor: range.length === 0 ? undefined : est + sumBy(range, (line) => priceShare(line, ctx, 1)),
    hoursTenths: sumBy(counted, (line) => line.hoursTenths),
    refinishTenths: sumDepartmentTenths(counted, 'refinish'),
  };
}

type Amount = Pick<EstimateLine, 'because' | 'group' | 'computed'> & { readonly minor: number };

/** Sums amounts with the spread of their part; agreed amounts have no spread. */
function addRanges(amounts: readonly Amount[], weight: ExpectedWeight, ctx: PricingContext): Spread {
  const byPart = new Map<string | undefined, number>();
  let agreed = 0;
  for (const one of amounts) {
    if (isAgreed(one)) agreed += one.minor;
    else byPart.set(one.because, (byPart.get(one.because) ?? 0) + one.minor);
  }
  const spreads = [...byPart].map(([part, minor]) =>
    spreadMinor(minor, findFactors(part, readWeight(weight, part), ctx)),
  );
  return makeSpread((end) => agreed + sumBy(spreads, (one) => one[end]));
}

const GOODS = ['parts', 'materials', 'sublet', 'fees'] as const;
/** Returns the total to which a line's price is added. */
const findGoods = ({ group, taxClass }: EstimateLine): (typeof GOODS)[number] => {
  if (group === 'materials') return group;
  return taxClass === 'sublet' ? taxClass : taxClass === 'fee' ? 'fees' : 'parts';
};

/** Sums labor by department, then parts, paint materials, sublets and fees; omits empty totals. */
function sumDepartments(counted: readonly EstimateLine[], ctx: PricingContext): readonly DepartmentTotal[] {
  return [
    ...DEPARTMENTS.map((department) => {
      const own = counted.filter((line) => line.department === department);
      const rateMinor = department === 'pdr' ? null : ctx.rates[department].est;
      return {
        department,
        hoursTenths: sumDepartmentTenths(counted, department),
        rateMinor,
        totalMinor: roundProduct(sumBy(own, (line) => priceUnroundedLabor(line, ctx))),
      };
    }),
    ...GOODS.map((department) => {
      const isPaint = department === 'materials';
      return {
        department,
        hoursTenths: isPaint ? sumDepartmentTenths(counted, 'refinish') : 0,
        rateMinor: isPaint ? ctx.materials.est : null,
        totalMinor: sumBy(counted, (line) => (findGoods(line) === department ? line.goodsMinor : 0)),
      };
    }),
  ].filter((row) => row.totalMinor !== 0 || (row.hoursTenths !== 0 && row.department !== 'materials'));
}

function makeRoundingLine(minor: number, number: number): EstimateLine {
  return {
    ...PLAIN_LINE,
    id: 'rounding/adj',
    number,
    group: 'rounding',
    operation: 'Adj',
    part: 'rounding',
    department: 'body',
    hoursTenths: 0,
    goodsMinor: minor,
    basis: 'formula',
    note: 'hours x rate is rounded once per department',
    source: 'formula: hours x rate is rounded once per department',
  };
}
