/**
 * Fits the ranges of spreads.json to published jobs, and measures them: each source by what the others give. Few numbers:
 * per kind of part the two factors between estimate and bill that a share of the bills lies beyond. Prints coverage, how many bills lie under the upper end, width and interval score at
 * 80 % (in logarithms; lower is better) by kind of job and by region, then the factors fitted to all. Run with `npx tsx
 * test/bench/ranges.ts`; `--cases` prints every job.
 */
import { findGroup, isLamp, type PartName } from '../../src/domain/parts.ts';
import type { Tables } from '../../src/pricing/tables/load.ts';
import { TABLES } from '../helpers/pricing/assessments.ts';
import { type Case, cases, mean, median, nameSource, price, tablesAt } from './published-jobs.ts';

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
type Fitted = (typeof FITTED)[number];
interface Factors {
  readonly low: number;
  readonly high: number;
}
/** Fitted together: fewer bills than this say nothing of a tenth. */
const FEWEST = 8;
/** Shares of the bills left out below and above: eight of ten within, nine of ten under the upper end. */
const LEFT_OUT = { below: 0.12, above: 0.1 } as const;

const FRONT = /^(front|hood|headlight|fog|windshield|cooling|side_window_f)/;
const SURFACE = ['scratch', 'paint_damage'];

function findKind({ job }: Case): Kind {
  const damages = job?.damages as readonly { location: string; type: string }[];
  const places = [...new Set(damages.map((one) => one.location))];
  if (places.length > 1) {
    const ends = new Set(places.map((one) => FRONT.test(one)));
    return ends.size > 1 ? 'several ends' : 'several, one end';
  }
  const [part = ''] = places;
  if (/windshield|window/.test(part)) return 'glass';
  if (isLamp(part) && findGroup(part as PartName) !== 'exterior') return 'lamp';
  return damages.every(({ type }) => SURFACE.includes(type)) ? 'one panel, paint' : 'one panel, body';
}
const findFitted = (kind: Kind): Fitted | undefined =>
  kind.startsWith('one panel') ? 'panel' : FITTED.find((one) => one === kind);

/** The factors that a share of the ratios lies below and above, one rank further out for what was not seen. */
function fitFactors(ratios: readonly number[]): Factors {
  const sorted = [...ratios].sort((a, b) => a - b);
  const rank = (share: number) => Math.max(0, Math.floor((sorted.length + 1) * share) - 1);
  return {
    low: Math.min(1, sorted[rank(LEFT_OUT.below)] ?? 1),
    high: Math.max(1, sorted.at(-1 - rank(LEFT_OUT.above)) ?? 1),
  };
}

const jobs = cases
  .filter((one) => one.job !== undefined)
  .map((one) => {
    const kind = findKind(one);
    return { one, kind, fitted: findFitted(kind), source: nameSource(one), ours: price(one).ours };
  });
type Job = (typeof jobs)[number];

function fitKind(fitted: Fitted, of: readonly Job[]): Factors {
  const own = of.filter((each) => each.fitted === fitted);
  const singles = own.length < FEWEST ? of.filter((each) => each.fitted !== undefined) : own;
  return fitFactors(singles.map(({ one, ours }) => one.real / ours));
}

type Spreads = Tables['spreads'];
/** Prices a job with these ranges. */
function measure({ one, kind, ours }: Job, spreads: Spreads) {
  const { min = 0, max = 0 } = price(one, { ...tablesAt(one), spreads });
  const [from, to] = one.band ?? [one.real, one.real];
  const real = Math.min(to, Math.max(from, one.real));
  return { one, kind, ours, min, max, real };
}
type Measured = ReturnType<typeof measure>;

const MISS = 10;
const score = (of: readonly Measured[]) =>
  mean(
    of.map(
      ({ min, max, real }) =>
        Math.log(max / min) + MISS * (Math.max(0, Math.log(min / real)) + Math.max(0, Math.log(real / max))),
    ),
  );

/** Fits the factors of each kind to the jobs of one part. */
const fitRows = (of: readonly Job[], spreads: Spreads): Spreads => ({
  ...spreads,
  rows: spreads.rows.map((row) => {
    const fitted = FITTED.find((each) => each === row.of);
    return fitted === undefined ? row : { ...row, ...fitKind(fitted, of) };
  }),
});

const { spreads: shipped } = TABLES;
const measured = jobs.map((job) => {
  const others = jobs.filter(({ source }) => source !== job.source);
  return measure(job, fitRows(others, shipped));
});

const out = (text: string) => process.stdout.write(`${text}\n`);
const percent = (of: number, all: number) => `${Math.round((100 * of) / all)} %`;
function row(name: string, of: readonly Measured[]): string {
  const held = of.filter(({ min, max, real }) => min <= real && real <= max).length;
  const under = of.filter(({ max, real }) => real <= max).length;
  const middle = median(of.map(({ ours, real }) => ours / real));
  const distance = median(of.map(({ ours, real }) => Math.abs(Math.log(ours / real))));
  const width = Math.exp(mean(of.map(({ min, max }) => Math.log(max / min))));
  return `| ${name} | ${of.length} | ${middle.toFixed(2)} | ${distance.toFixed(2)} | ${held} (${percent(held, of.length)}) | ${percent(under, of.length)} | ${width.toFixed(1)} | ${score(of).toFixed(2)} |`;
}

out(
  '| jobs, each source by the others | n | estimate / bill | MAD | held | under the upper end | high / low | score |',
);
out('| --- | --- | --- | --- | --- | --- | --- | --- |');
for (const kind of KINDS)
  out(
    row(
      kind,
      measured.filter((one) => one.kind === kind),
    ),
  );
for (const region of [...new Set(jobs.map(({ one }) => one.region))])
  out(
    row(
      `jobs in ${region}`,
      measured.filter(({ one }) => one.region === region),
    ),
  );
out(row('all', measured));
out('');
for (const { of, low, high } of fitRows(jobs, shipped).rows)
  out(`${of}: ${low.toFixed(2)} to ${high.toFixed(2)}`);
if (process.argv.includes('--cases'))
  for (const { one, kind, min, ours, max, real } of measured)
    out(
      `${kind} ${one.operation} ${(ours / real).toFixed(2)}: ${min.toFixed(0)} ${ours.toFixed(0)} ${max.toFixed(0)} for ${real} ${one.currency} ${one.region} ${one.source}`,
    );
