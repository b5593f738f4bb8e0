import { roundProduct } from '../../domain/money.ts';
import { DEPARTMENTS, type Department } from '../../domain/repair.ts';
import { sumOf } from '../../lib/sum.ts';
import { sumDepartmentTenths } from '../option/price.ts';
import { findFactors, spreadMinor } from '../option/spread.ts';
import { makeSpread, type PricingContext, type Spread } from '../pricing-context.ts';
import { type ExpectedWeight, readWeight } from '../vehicle/first-bill.ts';
import { findNextNumber } from './following.ts';
import {
  type EstimateLine,
  isAgreed,
  isCounted,
  PLAIN_LINE,
  priceLine,
  priceShare,
  priceWork,
} from './line.ts';

/** What one department, the parts, the paint materials, sublet work or fees come to, minor units. */
interface DepartmentTotal {
  readonly department: Department | (typeof GOODS)[number];
  readonly hoursTenths: number;
  readonly rateMinor: number | null;
  readonly totalMinor: number;
}

/** What the lines of an estimate come to, minor units. */
export interface LineTotals {
  /** The lines with the rounding line, where there is one: the amounts of those that count are the total. */
  readonly lines: readonly EstimateLine[];
  readonly departments: readonly DepartmentTotal[];
  readonly total: Spread;
  /** The total with what usually comes with it, as far as a first bill holds it. */
  readonly firstBill: Spread;
  /** The total with all of it, each line by its share of jobs; undefined where there is none. */
  readonly expectedMinor: number | undefined;
  readonly hoursTenths: number;
  readonly refinishTenths: number;
}

/**
 * Adds up the lines. A department is its hours x rate, rounded once, as on any estimate; what single lines lose or gain
 * by their own rounding is put on a line of its own, so that the lines add up to the total exactly. `weight` is how much
 * of the lines that usually come with it the first bill holds. Minor units.
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
  const est = sumOf(departments, (row) => row.totalMinor);
  const rounding = est - sumOf(counted, (line) => priceLine(line, ctx));
  const range = lines.filter((line) => line.counted === 'range');
  const shares = range.map((line) => ({ ...line, minor: priceShare(line, ctx) }));
  const seen: Amount[] = [
    ...counted.map((line) => ({ ...line, minor: priceLine(line, ctx) })),
    { ...makeRoundingLine(rounding, 0), minor: rounding },
  ];
  return {
    lines: rounding === 0 ? lines : [...lines, makeRoundingLine(rounding, findNextNumber(lines))],
    departments,
    total: addRanges(seen, weight, ctx),
    firstBill: addRanges([...seen, ...shares], weight, ctx),
    expectedMinor: range.length === 0 ? undefined : est + sumOf(range, (line) => priceShare(line, ctx, 1)),
    hoursTenths: sumOf(counted, (line) => line.hoursTenths),
    refinishTenths: sumDepartmentTenths(counted, 'refinish'),
  };
}

type Amount = Pick<EstimateLine, 'because' | 'group' | 'computed'> & { readonly minor: number };

/** Adds amounts up, each with the ends of the part it belongs to; what is agreed has none. */
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
  return makeSpread((end) => agreed + sumOf(spreads, (one) => one[end]));
}

const GOODS = ['parts', 'materials', 'sublet', 'fees'] as const;
/** Returns what the price of a line is added to. */
const findGoods = ({ group, taxClass }: EstimateLine): (typeof GOODS)[number] => {
  if (group === 'materials') return group;
  return taxClass === 'sublet' ? taxClass : taxClass === 'fee' ? 'fees' : 'parts';
};

/**
 * Returns labour by department, then parts, paint materials, sublet work and fees; those that come to nothing are left
 * out.
 */
function sumDepartments(counted: readonly EstimateLine[], ctx: PricingContext): readonly DepartmentTotal[] {
  return [
    ...DEPARTMENTS.map((department) => {
      const own = counted.filter((line) => line.department === department);
      const rateMinor = department === 'pdr' ? null : ctx.rates[department].est;
      return {
        department,
        hoursTenths: sumDepartmentTenths(counted, department),
        rateMinor,
        totalMinor: roundProduct(sumOf(own, (line) => priceWork(line, ctx))),
      };
    }),
    ...GOODS.map((department) => {
      const isPaint = department === 'materials';
      return {
        department,
        hoursTenths: isPaint ? sumDepartmentTenths(counted, 'refinish') : 0,
        rateMinor: isPaint ? ctx.materials.est : null,
        totalMinor: sumOf(counted, (line) => (findGoods(line) === department ? line.goodsMinor : 0)),
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
