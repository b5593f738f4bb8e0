/**
 * Compares estimates with published jobs and figures (published-estimates.json), and fits the ranges of spreads.json to the
 * jobs: per kind of part the two factors between estimate and bill that a share of the bills lies beyond. Each source is
 * measured by what the others give. Prints per kind, region and size of job the median ratio of the first bill and of the
 * lines as seen, the median distance (MAD), how many bills the ranges hold and how many lie under their upper end, the width
 * and the interval score at 80 % (in logarithms; lower is better); then the ratios of single figures, and the factors fitted
 * to all. Run with `npx tsx test/bench/ranges.ts`; `--cases` prints every job and figure.
 */
import { readFileSync } from 'node:fs';
import { findGroup, isLamp, type PartName } from '../../src/domain/parts.ts';
import type { Equipment } from '../../src/domain/vehicle/vehicle.ts';
import { findExchangeRate } from '../../src/pricing/currencies.ts';
import { createPricingContext } from '../../src/pricing/pricing-context.ts';
import type { Tables } from '../../src/pricing/tables/load.ts';
import { findRegion } from '../../src/pricing/tables/regions.ts';
import { assessed, TABLES } from '../helpers/pricing/assessments.ts';
import { lookUpFigure } from '../helpers/pricing/published-medians.ts';

interface Published {
  readonly operation: string;
  readonly real: number;
  readonly region: string;
  readonly source: string;
}
/** A figure of the tables. */
interface PublishedFigure extends Published {
  readonly look_up: { readonly part: PartName | '-'; readonly measure: string };
  readonly class?: 'standard';
  /** Known equipment of the vehicle. */
  readonly vehicle?: Equipment;
}
interface PublishedJob extends Published {
  readonly job: {
    readonly damages: readonly { readonly location: string; readonly type: string }[];
    readonly vehicle: object;
    readonly overrides: readonly object[];
  };
  readonly currency?: string;
  /** Rates of the source instead of the region's, per department. */
  readonly rates?: { readonly all: readonly [number, number] } & Record<string, readonly [number, number]>;
  /** Tax rate of the source on parts and materials, included in `real`. */
  readonly tax_rate?: number;
  /** Low and high end, if the source gives a range. */
  readonly band?: readonly [number, number];
}
const file = readFileSync(new URL('./published-estimates.json', import.meta.url), 'utf8');
const { cases } = JSON.parse(file) as { cases: (PublishedJob | PublishedFigure)[] };

/** Returns the shipped tables with these spreads, and with a source's rates instead of its region's. */
function tablesAt({ region, rates, tax_rate }: PublishedJob, spreads: Tables['spreads']): Tables {
  if (rates === undefined) return { ...TABLES, spreads };
  const { all, ...own } = rates;
  const rows = TABLES.regions.rows.map((row) => {
    const departments = { ...row.departments, ...own };
    const taxed = { ...row, ...(tax_rate !== undefined && { tax_rate }), rate_per_hour: all, departments };
    return row.code === region ? taxed : row;
  });
  return { ...TABLES, spreads, regions: { ...TABLES.regions, rows } } as Tables;
}

/** Prices a job: the range of its first bill, with tax if the published one has it, and the total of its visible lines. */
function price(one: PublishedJob, spreads = TABLES.spreads) {
  const assessment_options = { labor_rate_region: one.region, currency: one.currency };
  const { data } = assessed({ ...one.job, assessment_options }, tablesAt(one, spreads));
  const { as_seen: seen, first_bill: bill, tax } = data.summary.repair_cost_summary;
  const gross = one.tax_rate === undefined || tax === undefined ? 1 : tax.gross_total / tax.net_total;
  const [min, ours, max, asSeen] = [bill.min, bill.estimated, bill.max, seen.estimated].map(
    (amount) => amount * gross,
  ) as [number, number, number, number];
  return { min, ours, max, seen: asSeen };
}

/** Kinds of jobs in the report; those of one painted panel share the factors of `panel`. */
const KINDS = [
  'one panel, paint',
  'one panel, body',
  'glass',
  'lamp',
  'several, one end',
  'several ends',
] as const;
type Kind = (typeof KINDS)[number];
const FITTED = ['panel', 'glass', 'lamp'] as const;
/** Fitted together: fewer bills than this say nothing of a tenth. */
const FEWEST = 8;
/** Shares of the bills left out below and above: eight of ten within, nine of ten under the upper end. */
const LEFT_OUT = { below: 0.12, above: 0.1 } as const;
const FRONT = /^(front|hood|headlight|fog|windshield|cooling|side_window_f)/;

function findKind({ job: { damages } }: PublishedJob): Kind {
  const places = [...new Set(damages.map((one) => one.location))];
  if (places.length > 1) {
    const ends = new Set(places.map((one) => FRONT.test(one)));
    return ends.size > 1 ? 'several ends' : 'several, one end';
  }
  const [part = ''] = places;
  if (/windshield|window/.test(part)) return 'glass';
  if (isLamp(part) && findGroup(part as PartName) !== 'exterior') return 'lamp';
  const isPainted = damages.every(({ type }) => ['scratch', 'paint_damage'].includes(type));
  return isPainted ? 'one panel, paint' : 'one panel, body';
}

const jobs = cases
  .filter((one) => 'job' in one)
  .map((one) => {
    const kind = findKind(one);
    const fitted = kind.startsWith('one panel') ? 'panel' : FITTED.find((row) => row === kind);
    // The name of the publication, without what it says of the figure.
    const source = one.source.split(/[,:(]/)[0] ?? one.source;
    return { one, kind, fitted, source, ...price(one) };
  });
type Job = (typeof jobs)[number];

/** Fits a kind's factors, which a share of the ratios lies below and above, one rank further out for what was not seen. */
function fitFactors(fitted: (typeof FITTED)[number], of: readonly Job[]) {
  const own = of.filter((each) => each.fitted === fitted);
  const singles = own.length < FEWEST ? of.filter((each) => each.fitted !== undefined) : own;
  const sorted = singles.map(({ one, ours }) => one.real / ours).sort((a, b) => a - b);
  const rank = (share: number) => Math.max(0, Math.floor((sorted.length + 1) * share) - 1);
  return {
    low: Math.min(1, sorted[rank(LEFT_OUT.below)] ?? 1),
    high: Math.max(1, sorted.at(-1 - rank(LEFT_OUT.above)) ?? 1),
  };
}
const fitSpreads = (of: readonly Job[]): Tables['spreads'] => {
  const fitKind = (kind: (typeof FITTED)[number]) => ({ ...TABLES.spreads[kind], ...fitFactors(kind, of) });
  return { ...TABLES.spreads, panel: fitKind('panel'), glass: fitKind('glass'), lamp: fitKind('lamp') };
};

const measured = jobs.map((job) => {
  const others = jobs.filter(({ source }) => source !== job.source);
  const { min, max } = price(job.one, fitSpreads(others));
  const [from, to] = job.one.band ?? [job.one.real, job.one.real];
  return { ...job, min, max, real: Math.min(to, Math.max(from, job.one.real)) };
});
type Measured = (typeof measured)[number];

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
const median = (values: readonly number[]) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return mean(sorted.slice(sorted.length % 2 === 1 ? middle : middle - 1, middle + 1));
};
const logDistance = (a: number, b: number) => Math.abs(Math.log(a / b));
/** Penalty of the interval score at 80 % for a miss, in logarithms: 2 / 0.2 times the distance. */
const MISS = 10;
const score = ({ min, max, real }: Measured) =>
  logDistance(min, max) + MISS * logDistance(Math.min(max, Math.max(min, real)), real);
const percent = (of: number, all: number) => `${Math.round((100 * of) / all)} %`;
const out = (...cells: (string | number)[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`);
const head = (...cells: string[]) => {
  out(...cells);
  out(...cells.map(() => '---'));
};

function row(name: string, select: (one: Measured) => boolean = () => true): void {
  const of = measured.filter(select);
  const held = of.filter(({ min, max, real }) => min <= real && real <= max).length;
  out(
    ...[name, of.length, median(of.map(({ ours, real }) => ours / real)).toFixed(2)],
    median(of.map(({ seen, real }) => seen / real)).toFixed(2),
    median(of.map(({ ours, real }) => logDistance(ours, real))).toFixed(2),
    ...[`${held} (${percent(held, of.length)})`],
    percent(of.filter(({ real, max }) => real <= max).length, of.length),
    Math.exp(mean(of.map(({ min, max }) => logDistance(max, min)))).toFixed(1),
    mean(of.map(score)).toFixed(2),
  );
}
const JOBS = 'jobs, each source by the others';
head(JOBS, 'n', 'first bill / bill', 'as seen', 'MAD', 'held', 'under the upper end', 'high / low', 'score');
for (const kind of KINDS) row(kind, (one) => one.kind === kind);
for (const region of new Set(jobs.map(({ one }) => one.region)))
  row(`jobs in ${region}`, ({ one }) => one.region === region);
for (const [from, to] of [0, 300, 1000, 3000].map((at, i, all) => [at, all[i + 1] ?? Infinity] as const))
  row(`jobs of ${from} to ${to} USD`, ({ one: { real, currency = 'USD' } }) => {
    const inUsd = real * findExchangeRate(TABLES, currency, 'USD');
    return inUsd >= from && inUsd < to;
  });
row('all');

const figures = cases
  .filter((one) => 'look_up' in one)
  .map((one) => {
    const { region, class: vehicleClass = 'standard', vehicle: equipment = {} } = one;
    const { currency } = findRegion(TABLES, region);
    const ctx = createPricingContext(TABLES, { region, currency, vehicleClass, equipment });
    const { part, measure } = one.look_up;
    return { ...one, ours: lookUpFigure(part === '-' ? 'hood' : part, measure, ctx) };
  });
process.stdout.write('\n');
head('figure', 'n', 'ours / published', 'median deviation');
for (const name of new Set(figures.map(({ operation }) => operation))) {
  const ratios = figures.filter(({ operation }) => operation === name).map(({ ours, real }) => ours / real);
  const deviation = median(ratios.map((ratio) => Math.abs(ratio - 1)));
  out(name, ratios.length, median(ratios).toFixed(2), percent(deviation, 1));
}

process.stdout.write('\n');
const fittedSpreads = fitSpreads(jobs);
for (const kind of [...FITTED, 'mechanical'] as const) {
  const { low, high } = fittedSpreads[kind];
  out(kind, `${low.toFixed(2)} to ${high.toFixed(2)}`);
}
if (process.argv.includes('--cases')) {
  for (const { one, kind, min, ours, max, real } of measured)
    out(
      kind,
      one.operation,
      ...[min, ours, max, real].map(Math.round),
      one.currency ?? '',
      one.region,
      one.source,
    );
  for (const { operation, ours, real, look_up, source } of figures)
    out(operation, look_up.part, ours.toFixed(1), real, source);
}
