import { toReason, VehiError } from '../lib/errors.ts';
import { checkRegions } from './tables/check-regions.ts';
import type { RegionRow, RegionsTable } from './tables/region-schema.ts';

/** A closed job: its net bill and the first bill estimated for it, in major units of one currency. */
export interface ClosedJob {
  readonly estimate: number;
  readonly bill: number;
}

/** A shop's bills relative to the estimates of a region. */
export type ShopFit = ReturnType<typeof fitShop>;

/** Minimum number of jobs; with fewer, single bills would determine the ends of the range. */
export const MIN_JOBS = 20;
/** Share of the bills excluded at each end of the range. */
const LEFT_OUT = 0.1;

/** Returns the quantile of sorted values, interpolated linearly. */
function findQuantile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1);
  const [below = 1, above = below] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (above - below) * (at - Math.floor(at));
}

function fitRatios(ratios: readonly number[]) {
  const sorted = ratios.toSorted((a, b) => a - b);
  const factor = findQuantile(sorted, 0.5);
  return {
    /** Median of bill over estimate. */
    factor,
    /** Tenth and ninetieth percentile of the bills relative to the factor; they enclose 1. */
    low: Math.min(1, findQuantile(sorted, LEFT_OUT) / factor),
    high: Math.max(1, findQuantile(sorted, 1 - LEFT_OUT) / factor),
  };
}

/** Fits one factor and its range to a shop's closed jobs. */
export function fitShop(jobs: readonly ClosedJob[]) {
  const ratios = jobs.map(({ bill, estimate }) => bill / estimate);
  const held = ratios.filter((ratio, i) => {
    const { factor, low, high } = fitRatios(ratios.toSpliced(i, 1));
    return ratio >= factor * low && ratio <= factor * high;
  });
  // `jobsWithinRange` counts the jobs that lie within the range fitted to the other jobs.
  return { jobs: jobs.length, ...fitRatios(ratios), jobsWithinRange: held.length };
}

/**
 * Creates the regions file of a shop with its one region, `MY_SHOP`.
 * @throws VehiError INVALID_REQUEST if a scaled figure or the range is one that a regions file may not have
 */
export function makeShopTable(row: RegionRow, fit: ShopFit, date: string): RegionsTable {
  const rows = [makeShopRegion(row, fit, date)];
  const table = { name: `fitted to ${fit.jobs} jobs`, version: date, effective_date: date, rows };
  try {
    return checkRegions(table, 'the region');
  } catch (error) {
    const message = `The bills give no valid region: ${toReason(error)}`;
    const ends = `${fit.low.toFixed(2)} to ${fit.high.toFixed(2)}`;
    const hint = `The median bill is ${fit.factor.toFixed(2)} of an estimate as ${row.code}, eight of ten are ${ends} of that: check bills and currency (${row.currency}).`;
    throw new VehiError('input', 'INVALID_REQUEST', message, { hint, cause: error });
  }
}

/** Price levels that a shop's factor applies to; hours of glass are priced by the rates. */
const SCALED_LEVELS = ['parts', 'glass', 'pdr', 'scan', 'calibration', 'sublet'] as const;

/**
 * Creates the shop's own region: all rates and prices scaled by the factor, with the range of its bills. Rates have no low
 * and high ends, because the range already includes their variation. What the region says of others' prices is left out.
 */
function makeShopRegion(row: RegionRow, fit: ShopFit, date: string): RegionRow {
  const source = `fitted to ${fit.jobs} closed jobs`;
  const round = (figure: number) => Number(figure.toPrecision(4));
  const times = (figure: number) => round(figure * fit.factor);
  const scaleRate = ([low = 0, high = 0]: readonly number[]): [number, number] => {
    const rate = times((low + high) / 2);
    return [rate, rate];
  };
  const { level_note: _, departments, price_level, prices, fees, chip_repair: chip, ...region } = row;
  const { glass_dealer: _dealer, ...levels } = { parts: 1, glass: 1, glass_hours: 1, pdr: 1, ...price_level };
  return {
    ...region,
    code: 'MY_SHOP',
    name: `${row.name}, own jobs`,
    rate_per_hour: scaleRate(row.rate_per_hour),
    departments: Object.fromEntries(
      Object.entries(departments).map(([name, range]) => [name, scaleRate(range)]),
    ),
    materials_source: source,
    price_level: {
      ...levels,
      ...Object.fromEntries(SCALED_LEVELS.map((kind) => [kind, times(levels[kind] ?? 1)])),
      source,
    },
    ...(prices && { prices: prices.map((one) => ({ ...one, oem: times(one.oem) })) }),
    ...(fees && { fees: fees.map((one) => ({ ...one, amount: times(one.amount) })) }),
    ...(chip && { chip_repair: { ...chip, amount: times(chip.amount) } }),
    spread: { low: round(fit.low), high: round(fit.high), jobs: fit.jobs, source },
    date,
    source: `${source}, from ${row.code}`,
  };
}
