import { roundHalfUp } from '../../domain/money.ts';
import { DEPARTMENTS, type Department } from '../../domain/repair.ts';
import { computeLabour } from '../option/price.ts';
import type { PricingContext, Spread } from '../pricing-context.ts';
import {
  type EstimateLine,
  PLAIN_LINE,
  priceGoodsEnds,
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
  /** The low end if every line were at its own low end. */
  readonly linearMin: number;
  /** The estimate with the lines of the range, each by its share of jobs; undefined where there are none. */
  readonly expectedMinor: number | undefined;
  readonly hoursTenths: number;
  readonly refinishTenths: number;
}

const round = (value: number) => roundHalfUp(Number(value.toFixed(6)));
const sumOf = <T>(of: readonly T[], pick: (one: T) => number) => of.reduce((all, one) => all + pick(one), 0);
const isCounted = (line: EstimateLine) => line.counted === 'total';

/**
 * Adds up the lines. A department is its hours x rate, rounded once, as on any estimate; what single lines lose or gain
 * by their own rounding is put on a line of its own, so that the lines add up to the total exactly. Minor units.
 */
export function totalLines(lines: readonly EstimateLine[], ctx: PricingContext): LineTotals {
  const counted = lines.filter(isCounted);
  const departments = sumDepartments(counted, ctx);
  const est = sumOf(departments, (row) => row.totalMinor);
  const rounding = est - sumOf(counted, (line) => priceLine(line, ctx));
  const range = lines.filter((line) => line.counted === 'range');
  const byShare = (of: readonly EstimateLine[]) => sumOf(of, (line) => computeAverage(line, ctx));
  return {
    lines: rounding === 0 ? lines : [...lines, makeRoundingLine(rounding, findNextNumber(lines))],
    departments,
    total: {
      min: computeLowEnd(counted, est, ctx),
      est,
      max: computeLinearEnd(counted, 'max', ctx) + byShare(range) + estimateUnlisted(lines, est, ctx),
    },
    linearMin: computeLinearEnd(counted, 'min', ctx),
    expectedMinor: range.length === 0 ? undefined : est + byShare(range),
    hoursTenths: sumOf(counted, (line) => line.hoursTenths),
    refinishTenths: sumOf(counted, (line) => (line.department === 'refinish' ? line.hoursTenths : 0)),
  };
}

/** Returns what an expected line comes to over many jobs: its amount, with paint materials, by its share of jobs. */
function computeAverage(line: EstimateLine, ctx: PricingContext): number {
  const materials = computeLabour(readRefinishTenths(line), ctx.materials.est);
  return roundHalfUp((priceLine(line, ctx) + materials) * (line.frequency ?? 1));
}

/**
 * Returns what the upper end holds above the counted lines' own highs and the expected operations by their share: a heavy
 * hit brings what no list names, in proportion to the estimate. Where little is expected, little is behind.
 */
function estimateUnlisted(lines: readonly EstimateLine[], est: number, ctx: PricingContext): number {
  if (ctx.associated !== 'likely') return 0;
  const { of_estimate, of_expected } = ctx.tables.associated.upper_end;
  // An expected operation that a person counts says no less of what is behind.
  const expected = lines.filter((line) => line.group === 'expected' && line.counted !== 'removed');
  return roundHalfUp(
    Math.min(of_estimate * est, of_expected * sumOf(expected, (line) => computeAverage(line, ctx))),
  );
}

/**
 * Returns the low end. Rates move all lines alike; how far hours and prices are too high is partly common to the lines
 * of a vehicle and partly each line's own: errors with that correlation add up to the root of their mixed squares.
 */
function computeLowEnd(counted: readonly EstimateLine[], est: number, ctx: PricingContext): number {
  const atRates = sumOf(counted, (line) => priceWorkByRate(line, ctx).min + line.goodsMinor);
  const below = counted.flatMap((line) => [
    priceWorkByRate(line, ctx).min - priceWorkEnds(line, ctx).min,
    line.goodsMinor - priceGoodsEnds(line, ctx).min,
  ]);
  const { share: common } = ctx.tables.spreads.common;
  const own = sumOf(below, (one) => one ** 2);
  const all = sumOf(below, (one) => one) ** 2;
  return Math.min(est, round(atRates - Math.sqrt((1 - common) * own + common * all)));
}

/** Returns the total with every line at its own end. Bills run over all together: hidden damage touches every line. */
function computeLinearEnd(counted: readonly EstimateLine[], end: 'min' | 'max', ctx: PricingContext): number {
  const work = DEPARTMENTS.map((name) =>
    round(
      sumOf(
        counted.filter((line) => line.department === name),
        (line) => priceWorkEnds(line, ctx)[end],
      ),
    ),
  );
  return sumOf(work, (one) => one) + round(sumOf(counted, (line) => priceGoodsEnds(line, ctx)[end]));
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
