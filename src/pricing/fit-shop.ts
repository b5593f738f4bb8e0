import type { RegionRow } from './tables/schema.ts';

/** A closed job: its bill without tax next to what the estimate holds, major units of one currency. */
export interface ClosedJob {
  readonly labour: number;
  readonly goods: number;
  /** What usually comes with it, as far as the first bill holds it. */
  readonly expectedLabour: number;
  readonly expectedGoods: number;
  readonly bill: number;
}

/** What the bills of a shop say of its rates and of what comes with its repairs, as factors of the region's. */
interface Factors {
  readonly rates: number;
  readonly expected: number;
}
interface Ends {
  readonly low: number;
  readonly high: number;
}
/** How estimates meet the bills of jobs: bill over estimate in the middle, and how far off on average. */
interface Met {
  readonly median: number;
  readonly deviation: number;
}
export interface ShopFit extends Factors, Ends {
  readonly jobs: number;
  readonly before: Met;
  /** Each job by what the others say. */
  readonly leftOut: Met & { readonly held: number };
}

/** With fewer jobs, single bills decide the fit. */
export const FEWEST_JOBS = 20;
/** Jobs are left out one by one up to this many, then in this many groups. */
const MOST_FOLDS = 50;
/** What a miss costs next to the width of a range that is to hold eight of ten, both as logarithms. */
const MISS = 10;

const steps = (from: number, to: number, by: number) =>
  Array.from({ length: Math.round((to - from) / by) + 1 }, (_, i) => Number((from + i * by).toFixed(2)));
const RATES = steps(0.4, 2.5, 0.02);
const LOWS = steps(0.4, 1, 0.02);
const HIGHS = steps(1, 3, 0.02);

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
const median = (values: readonly number[]) => {
  const sorted = [...values].sort((a, b) => a - b);
  return mean([sorted[(sorted.length - 1) >> 1] ?? 0, sorted[sorted.length >> 1] ?? 0]);
};

/** Returns the bill over the estimate with these factors. */
const compare = (job: ClosedJob, { rates, expected }: Factors) =>
  job.bill /
  (rates * (job.labour + expected * job.expectedLabour) + job.goods + expected * job.expectedGoods);

function findLeast<T>(candidates: readonly T[], cost: (one: T) => number): T {
  const costs = candidates.map(cost);
  return candidates[costs.indexOf(Math.min(...costs))] as T;
}

const measureLoss = (ratios: readonly number[]) => mean(ratios.map((ratio) => Math.abs(Math.log(ratio))));
const fitFactors = (jobs: readonly ClosedJob[], candidates: readonly Factors[]) =>
  findLeast(candidates, (one) => measureLoss(jobs.map((job) => compare(job, one))));

const describe = (ratios: readonly number[]): Met => ({
  median: median(ratios),
  deviation: Math.exp(measureLoss(ratios)) - 1,
});

/** Returns the range with the best interval score at 80 %; each end by itself, as the score is a sum of both. */
function fitEnds(ratios: readonly number[]): Ends {
  const miss = (by: number) => MISS * Math.max(0, Math.log(by));
  return {
    low: findLeast(LOWS, (low) => mean(ratios.map((ratio) => miss(low / ratio))) - Math.log(low)),
    high: findLeast(HIGHS, (high) => mean(ratios.map((ratio) => miss(ratio / high))) + Math.log(high)),
  };
}

/**
 * Returns the rates, the share of expected operations, or both, with which a shop's closed jobs are met best when they are
 * left out, and the range of what is left. `most` is how far the region's share of expected operations may rise.
 */
export function fitShop(jobs: readonly ClosedJob[], most = 1): ShopFit {
  const shares = steps(0, most, most / 20);
  // Bills alone may not tell rates from what comes with a repair: what prices jobs best that it has not seen is taken.
  const models: readonly (readonly Factors[])[] = [
    [{ rates: 1, expected: 1 }],
    RATES.map((rates) => ({ rates, expected: 1 })),
    shares.map((expected) => ({ rates: 1, expected })),
    RATES.flatMap((rates) => shares.map((expected) => ({ rates, expected }))),
  ];
  const folds = Math.min(jobs.length, MOST_FOLDS);
  const leaveOut = <T>(of: readonly T[], fold: number) => of.filter((_, i) => i % folds !== fold);
  const tried = models.map((candidates) => {
    const fitted = Array.from({ length: folds }, (_, fold) => fitFactors(leaveOut(jobs, fold), candidates));
    return { candidates, ratios: jobs.map((job, i) => compare(job, fitted[i % folds] as Factors)) };
  });
  const { candidates, ratios } = findLeast(tried, (one) => measureLoss(one.ratios));
  const ends = Array.from({ length: folds }, (_, fold) => fitEnds(leaveOut(ratios, fold)));
  const held = ratios.filter((ratio, i) => {
    const { low, high } = ends[i % folds] as Ends;
    return low <= ratio && ratio <= high;
  });
  return {
    jobs: jobs.length,
    ...fitFactors(jobs, candidates),
    ...fitEnds(ratios),
    before: describe(jobs.map((job) => compare(job, { rates: 1, expected: 1 }))),
    leftOut: { ...describe(ratios), held: held.length },
  };
}

/** Returns a region as the shop's own: its rates without ends, as those are in the range. */
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
