/**
 * Compares estimates with published figures (published-estimates.json, and the medians behind the tables), per
 * operation, market and job size, for the first bill and for the visible lines: ratio to the published figure, median
 * deviation, fraction of bills in the range, width of the range, and its interval score (lower is better). Prints a table;
 * ranges.ts fits the ranges. Run with `npx tsx test/bench/estimates.ts`;
 * `--cases` prints every case.
 */
import type { PartName } from '../../src/domain/parts.ts';
import { findExchangeRate } from '../../src/pricing/currencies.ts';
import { createPricingContext } from '../../src/pricing/pricing-context.ts';
import { TABLES } from '../helpers/pricing/assessments.ts';
import { lookUpFigure, MEDIANS } from '../helpers/pricing/published-medians.ts';
import {
  type Case,
  cases,
  type Figure,
  type LookUp,
  mean,
  median,
  price,
  type Range,
} from './published-jobs.ts';

function lookUp({ look_up, region, vehicle = {}, class: vehicleClass = 'standard' }: Case): Figure {
  const { part, measure } = look_up as LookUp;
  const { currency } = TABLES.regions.rows.find((row) => row.code === region) ?? { currency: 'USD' };
  const ctx = createPricingContext(TABLES, {
    region,
    currency,
    vehicleClass: vehicleClass as 'standard',
    equipment: vehicle,
  });
  return { ours: lookUpFigure((part === '-' ? 'hood' : part) as PartName, measure, ctx) };
}

const WORDS: Readonly<Record<string, string>> = {
  repair: 'repair hours',
  repair_refinish: 'refinish hours',
  replace: 'R&R hours',
  replace_refinish: 'refinish hours',
  remove_install: 'R&I hours',
  oem: 'OEM part price',
  aftermarket: 'aftermarket part price',
  recycled: 'recycled part price',
};
const fitted: Case[] = Object.entries(MEDIANS).flatMap(([part, medians]) =>
  Object.entries(medians).map(([measure, real]) => ({
    operation: `${WORDS[measure]} (fitted)`,
    look_up: { part, measure },
    real,
    region: 'US_MIDWEST',
    source: 'median of US estimates',
  })),
);

interface Result extends Case, Figure {}
const results = [...cases, ...fitted].map(
  (one): Result => ({ ...one, ...(one.look_up === undefined ? price(one) : lookUp(one)) }),
);

const percent = (share: number) => `${Math.round(share * 100)} %`;

/** Low end, high end and published figure relative to the estimate; for a published range, its nearest value. */
interface Held {
  readonly low: number;
  readonly high: number;
  readonly real: number;
}
const hold = (one: Case, { min, ours, max }: Range): Held => {
  const [from, to] = one.band ?? [one.real, one.real];
  return {
    low: min / ours,
    high: max / ours,
    real: Math.min(to, Math.max(from, max < from ? from : one.real)) / ours,
  };
};
/** Penalty of the 80 % interval score for a miss, in logarithms: 2 / 0.2 times the distance. */
const MISS = 10;
const scoreRange = ({ low, high, real }: Held) =>
  Math.log(high / low) + MISS * (Math.max(0, Math.log(low / real)) + Math.max(0, Math.log(real / high)));
const isHeld = ({ low, high, real }: Held) => low <= real && real <= high;

function row(name: string, of: readonly Result[], figure: (one: Result) => Figure = (one) => one): string {
  const ratios = of.map((one) => figure(one).ours / one.real);
  const far = ratios.map((ratio) => Math.abs(ratio - 1));
  const within = percent(far.filter((one) => one <= 0.15).length / far.length);
  const ranges = of.flatMap((one) => {
    const { min, ours, max } = figure(one);
    return min === undefined || max === undefined ? [] : [hold(one, { min, ours, max })];
  });
  const held = ranges.filter(isHeld).length;
  const range =
    ranges.length === 0
      ? '| | |'
      : `${held} (${percent(held / ranges.length)}) | ${Math.exp(mean(ranges.map(({ low, high }) => Math.log(high / low)))).toFixed(2)} | ${mean(ranges.map(scoreRange)).toFixed(2)}`;
  return `| ${name} | ${of.length} | ${median(ratios).toFixed(2)} | ${percent(median(far))} | ${within} | ${range} |`;
}

const names = [...new Set(results.map((one) => one.operation))];
const jobs = results.filter((one) => one.job !== undefined && !one.operation.endsWith('(fitted)'));
const countParts = ({ job }: Case) =>
  new Set(job?.damages.map((one) => (one as { location: string }).location)).size;
const [single, collisions] = [true, false].map((one) =>
  jobs.filter((each) => (countParts(each) === 1) === one),
);
const inUsd = ({ real, currency = 'USD' }: Case) => real * findExchangeRate(TABLES, currency, 'USD');
const SIZES = [
  ['below 300 USD', 0, 300],
  ['300 to 1,000', 300, 1000],
  ['1,000 to 3,000', 1000, 3000],
  ['above 3,000', 3000, Number.POSITIVE_INFINITY],
] as const;
const groups: (readonly [string, readonly Result[]])[] = [
  ...names.map((name) => [name, results.filter((one) => one.operation === name)] as const),
  ...[...new Set(jobs.map((one) => one.region))].map(
    (code) => [`jobs in ${code}`, jobs.filter((one) => one.region === code)] as const,
  ),
  ...SIZES.map(
    ([name, from, to]) =>
      [`jobs ${name}`, jobs.filter((one) => inUsd(one) >= from && inUsd(one) < to)] as const,
  ),
  ['jobs of one part', single ?? []],
  ['jobs of two parts and more', collisions ?? []],
];
const lines = [
  '| operation | n | median ratio | median deviation | within 15 % | held | high to low | interval score |',
  '| --- | --- | --- | --- | --- | --- | --- | --- |',
  ...groups.flatMap(([name, of]) => {
    const seen = of.filter((one) => one.seen !== undefined && one.seen.ours !== one.ours);
    return [
      row(name, of),
      ...(seen.length === 0 ? [] : [row(`${name}, as seen`, of, (one) => one.seen ?? one)]),
    ];
  }),
];
if (process.argv.includes('--cases')) {
  for (const one of results) {
    const range = one.min === undefined ? '' : `${one.min.toFixed(0)} to ${one.max?.toFixed(0)}, `;
    lines.push(
      `${one.operation}: ${range}${one.ours.toFixed(1)} for ${one.real} (${(one.ours / one.real).toFixed(2)}) ${one.look_up?.part ?? ''} ${one.source}`,
    );
  }
}
process.stdout.write(`${lines.join('\n')}\n`);
