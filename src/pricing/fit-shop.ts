import type { RegionRow } from './tables/schema.ts';

/** A closed job: its net bill and the corresponding estimate, in major units of one currency. */
export interface ClosedJob {
  readonly labor: number;
  readonly goods: number;
  /** Expected operations, as included in the first bill. */
  readonly expectedLabor: number;
  readonly expectedGoods: number;
  readonly bill: number;
}

/** Factors on the region's rates and on its expected operations, fitted to a shop's bills. */
interface Factors {
  readonly rates: number;
  readonly expected: number;
}
interface RangeFactors {
  readonly low: number;
  readonly high: number;
}
/** Fit of estimates to bills: median of bill over estimate, and mean relative deviation. */
interface FitQuality {
  readonly median: number;
  readonly deviation: number;
}
export interface ShopFit extends Factors, RangeFactors {
  readonly jobs: number;
  readonly unfitted: FitQuality;
  /** Cross-validated: each job is priced by a fit to the others. `withinRange` counts the jobs within the range. */
  readonly crossValidated: FitQuality & { readonly withinRange: number };
}

/** With fewer jobs, single bills dominate the fit. */
export const MIN_JOBS = 20;
/** Leave-one-out up to this many jobs, then this many folds. */
const MAX_FOLDS = 50;
/** Penalty for a bill outside the 80 % range relative to the range's width; both in logarithms. */
const MISS_PENALTY = 10;

const steps = (from: number, to: number, step: number) =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => Number((from + i * step).toFixed(2)));
const RATE_FACTORS = steps(0.4, 2.5, 0.02);
const LOWS = steps(0.4, 1, 0.02);
const HIGHS = steps(1, 3, 0.02);

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
const median = (values: readonly number[]) => {
  const sorted = [...values].sort((a, b) => a - b);
  return mean([sorted[(sorted.length - 1) >> 1] ?? 0, sorted[sorted.length >> 1] ?? 0]);
};

/** Computes bill over estimate with the given factors. */
const computeRatio = (job: ClosedJob, { rates, expected }: Factors) =>
  job.bill / (rates * (job.labor + expected * job.expectedLabor) + job.goods + expected * job.expectedGoods);

function findMinimum<T>(candidates: readonly T[], cost: (one: T) => number): T {
  const costs = candidates.map(cost);
  return candidates[costs.indexOf(Math.min(...costs))] as T;
}

const measureLoss = (ratios: readonly number[]) => mean(ratios.map((ratio) => Math.abs(Math.log(ratio))));
const fitFactors = (jobs: readonly ClosedJob[], candidates: readonly Factors[]) =>
  findMinimum(candidates, (one) => measureLoss(jobs.map((job) => computeRatio(job, one))));

const summarize = (ratios: readonly number[]): FitQuality => ({
  median: median(ratios),
  deviation: Math.exp(measureLoss(ratios)) - 1,
});

/** Finds the range with the best 80 % interval score, each end separately because the score is a sum over both. */
function fitRange(ratios: readonly number[]): RangeFactors {
  const penalize = (excess: number) => MISS_PENALTY * Math.max(0, Math.log(excess));
  return {
    low: findMinimum(LOWS, (low) => mean(ratios.map((ratio) => penalize(low / ratio))) - Math.log(low)),
    high: findMinimum(HIGHS, (high) => mean(ratios.map((ratio) => penalize(ratio / high))) + Math.log(high)),
  };
}

/**
 * Fits the rates, the share of expected operations, or both, to a shop's closed jobs, selected by cross-validation, and
 * the range of the residuals. `maxExpected` is the upper limit for the factor on the region's share of expected operations.
 */
export function fitShop(jobs: readonly ClosedJob[], maxExpected = 1): ShopFit {
  const shares = steps(0, maxExpected, maxExpected / 20);
  // Bills alone may not separate rates from expected operations, so cross-validation selects the model.
  const models: readonly (readonly Factors[])[] = [
    [{ rates: 1, expected: 1 }],
    RATE_FACTORS.map((rates) => ({ rates, expected: 1 })),
    shares.map((expected) => ({ rates: 1, expected })),
    RATE_FACTORS.flatMap((rates) => shares.map((expected) => ({ rates, expected }))),
  ];
  const folds = Math.min(jobs.length, MAX_FOLDS);
  const dropFold = <T>(items: readonly T[], fold: number) => items.filter((_, i) => i % folds !== fold);
  const evaluated = models.map((candidates) => {
    const fitted = Array.from({ length: folds }, (_, fold) => fitFactors(dropFold(jobs, fold), candidates));
    return { candidates, ratios: jobs.map((job, i) => computeRatio(job, fitted[i % folds] as Factors)) };
  });
  const { candidates, ratios } = findMinimum(evaluated, (one) => measureLoss(one.ratios));
  const foldRanges = Array.from({ length: folds }, (_, fold) => fitRange(dropFold(ratios, fold)));
  const withinRange = ratios.filter((ratio, i) => {
    const { low, high } = foldRanges[i % folds] as RangeFactors;
    return low <= ratio && ratio <= high;
  });
  return {
    jobs: jobs.length,
    ...fitFactors(jobs, candidates),
    ...fitRange(ratios),
    unfitted: summarize(jobs.map((job) => computeRatio(job, { rates: 1, expected: 1 }))),
    crossValidated: { ...summarize(ratios), withinRange: withinRange.length },
  };
}

/** Creates the shop's own region; its rates have no low and high ends because the fitted range includes them. */
export function makeShopRegion(row: RegionRow, code: string, fit: ShopFit, date: string): RegionRow {
  const source = `fitted to ${fit.jobs} closed jobs`;
  const scale = ([low = 0, high = 0]: readonly number[]): [number, number] => {
    const rate = Number((((low + high) / 2) * fit.rates).toFixed(2));
    return [rate, rate];
  };
  const departments = Object.fromEntries(
    Object.entries(row.departments).map(([name, range]) => [name, range && scale(range)]),
  );
  return {
    ...row,
    code,
    name: `${row.name}, own jobs`,
    rate_per_hour: scale(row.rate_per_hour),
    departments,
    materials_source: source,
    expected: { share: Number(((row.expected?.share ?? 1) * fit.expected).toFixed(3)), source },
    spread: { low: fit.low, high: fit.high, jobs: fit.jobs, source },
    date,
    source: `${source}, from ${row.code}`,
  };
}
