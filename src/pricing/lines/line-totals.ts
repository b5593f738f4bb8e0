import { roundHalfUp } from '../../domain/money.ts';
import { DEPARTMENTS, type Department } from '../../domain/repair.ts';
import type { PricingContext, Spread } from '../pricing-context.ts';
import {
  type EstimateLine,
  PLAIN_LINE,
  priceExpected,
  priceGoodsEnds,
  priceLabour,
  priceLine,
  priceWorkByRate,
  priceWorkEnds,
} from './line.ts';
import { findNextNumber } from './paint-materials.ts';

/** What one department, the parts, the paint materials, sublet work or fees come to, minor units. */
export interface DepartmentTotal {
  readonly department: Department | 'parts' | 'materials' | 'sublet' | 'fees';
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

const round = (value: number) => roundHalfUp(Number(value.toFixed(6)));
const sumOf = <T>(of: readonly T[], pick: (one: T) => number) => of.reduce((all, one) => all + pick(one), 0);
const isCounted = (line: EstimateLine) => line.counted === 'total';

/**
 * Adds up the lines. A department is its hours x rate, rounded once, as on any estimate; what single lines lose or gain
 * by their own rounding is put on a line of its own, so that the lines add up to the total exactly. `weight` is how much
 * of the lines that usually come with it the first bill holds, 0 to 1. Minor units.
 */
export function totalLines(lines: readonly EstimateLine[], weight: number, ctx: PricingContext): LineTotals {
  const counted = lines.filter(isCounted);
  const departments = sumDepartments(counted, ctx);
  const est = sumOf(departments, (row) => row.totalMinor);
  const rounding = est - sumOf(counted, (line) => priceLine(line, ctx));
  const range = lines.filter((line) => line.counted === 'range');
  const byShare = (share: number) =>
    sumOf(range, (line) => roundHalfUp(share * (line.frequency ?? 1) * priceExpected(line, ctx)));
  const seen = counted.flatMap((line) => listErrors(line, ctx));
  return {
    lines: rounding === 0 ? lines : [...lines, makeRoundingLine(rounding, findNextNumber(lines))],
    departments,
    total: addErrors(est, seen, counted, ctx),
    firstBill: addErrors(
      est + byShare(weight),
      [...seen, ...range.map((line) => computeErrorOfShare(line, weight, ctx))],
      counted,
      ctx,
    ),
    expectedMinor: range.length === 0 ? undefined : est + byShare(1),
    hoursTenths: sumOf(counted, (line) => line.hoursTenths),
    refinishTenths: sumOf(counted, readRefinishTenths),
  };
}

/** How far a real figure may lie below and above ours, minor units. */
interface FigureError {
  readonly below: number;
  readonly above: number;
}

/** Returns the errors of a line that counts: of its time and of its goods. */
function listErrors(line: EstimateLine, ctx: PricingContext): readonly FigureError[] {
  const ends = [
    [priceWorkEnds(line, ctx), priceLabour(line, ctx)],
    [priceGoodsEnds(line, ctx), line.goodsMinor],
  ] as const;
  return ends.map(([{ min, max }, est]) => ({
    below: Math.max(0, est - min),
    above: Math.max(0, max - est),
  }));
}

/**
 * Returns the error of an operation that stands on a share of jobs: one standard deviation of whether it does, at most
 * its absence and at most its whole price, so that a range never ends above the one with every operation counted.
 */
function computeErrorOfShare(line: EstimateLine, weight: number, ctx: PricingContext): FigureError {
  const price = priceExpected(line, ctx);
  const share = line.frequency ?? 1;
  const mean = weight * share;
  const deviation = weight * Math.sqrt(share * (1 - share));
  return { below: price * Math.min(deviation, mean), above: price * Math.min(deviation, 1 - mean) };
}

/**
 * Returns an amount with its ends. The rate moves all lines alike; how far times and prices are off is partly common to
 * the lines of a vehicle and partly each line's own. Independent errors add up to the root of their squares, and those
 * with a common share to the root of their mixed squares.
 */
function addErrors(
  est: number,
  errors: readonly FigureError[],
  counted: readonly EstimateLine[],
  ctx: PricingContext,
): Spread {
  const { share: common } = ctx.tables.spreads.common;
  const mix = (side: keyof FigureError, end: 'min' | 'max') => {
    const byRate = sumOf(counted, (line) => priceWorkByRate(line, ctx)[end] - priceWorkByRate(line, ctx).est);
    const own = sumOf(errors, (one) => one[side] ** 2);
    const all = sumOf(errors, (one) => one[side]) ** 2;
    return Math.sqrt(byRate ** 2 + (1 - common) * own + common * all);
  };
  return {
    min: Math.min(est, Math.max(0, round(est - mix('below', 'min')))),
    est,
    max: Math.max(est, round(est + mix('above', 'max'))),
  };
}

/**
 * Returns labour by department, then parts, paint materials, sublet work and fees; those that come to nothing are left
 * out.
 */
function sumDepartments(counted: readonly EstimateLine[], ctx: PricingContext): readonly DepartmentTotal[] {
  const goods = (department: DepartmentTotal['department'], of: (line: EstimateLine) => boolean) => {
    const own = counted.filter(of);
    const materials = department === 'materials';
    return {
      department,
      hoursTenths: materials ? sumOf(counted, readRefinishTenths) : 0,
      rateMinor: materials ? ctx.materials.est : null,
      totalMinor: sumOf(own, (line) => line.goodsMinor),
    };
  };
  const apart = (line: EstimateLine) => line.taxClass === 'sublet' || line.taxClass === 'fee';
  return [
    ...DEPARTMENTS.map((department) => {
      const own = counted.filter((line) => line.department === department);
      const rateMinor = department === 'pdr' ? null : ctx.rates[department].est;
      return {
        department,
        hoursTenths: sumOf(own, (line) => line.hoursTenths),
        rateMinor,
        totalMinor: round(sumOf(own, (line) => priceWorkEnds(line, ctx).est)),
      };
    }),
    goods('parts', (line) => line.group !== 'materials' && !apart(line)),
    goods('materials', (line) => line.group === 'materials'),
    goods('sublet', (line) => line.taxClass === 'sublet'),
    goods('fees', (line) => line.taxClass === 'fee'),
  ].filter((row) => row.totalMinor !== 0 || (row.hoursTenths !== 0 && row.department !== 'materials'));
}

const readRefinishTenths = (line: EstimateLine) => (line.department === 'refinish' ? line.hoursTenths : 0);

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
