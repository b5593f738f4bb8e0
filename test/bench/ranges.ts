/**
 * Fits the ranges of spreads.json to published jobs: per kind of job the factors between estimate and bill that hold
 * eight of ten. Each source is measured with the factors fitted to the others. Prints factors,
 * coverage, how many bills lie under the upper end, width and interval score at 80 % (in logarithms; lower is better). Run
 * with `npx tsx test/bench/ranges.ts`; `--cases` prints every job.
 */
import { type Case, cases, nameSource, price, tablesAt } from './published-jobs.ts';

const KINDS = ['panel', 'glass', 'lamp', 'collision'] as const;
type Kind = (typeof KINDS)[number];
interface Factors {
  readonly low: number;
  readonly high: number;
}
/** Fitted together: fewer bills than this say nothing of a tenth. */
const FEWEST = 8;

function findKind({ job }: Case): Kind {
  const places = new Set(job?.damages.map((one) => (one as { location: string }).location));
  if (places.size > 1) return 'collision';
  const [part = ''] = places;
  if (/windshield|window/.test(part)) return 'glass';
  return /light/.test(part) ? 'lamp' : 'panel';
}

/** Share of the bills left out at each end. The range of a collision is that of several parts and so wider by itself. */
const LEFT_OUT = { panel: 0.1, glass: 0.1, lamp: 0.1, collision: 0.18 } as const satisfies Record<
  Kind,
  number
>;

/** The factors that a share of the ratios lies below and above, one rank further out for what was not seen. */
function fitFactors(ratios: readonly number[], share: number): Factors {
  const sorted = [...ratios].sort((a, b) => a - b);
  const rank = Math.max(0, Math.floor((sorted.length + 1) * share) - 1);
  return {
    low: Math.min(1, sorted[rank] ?? 1),
    high: Math.max(1, sorted.at(-1 - rank) ?? 1),
  };
}

const jobs = cases
  .filter((one) => one.job !== undefined)
  .map((one) => ({ one, kind: findKind(one), source: nameSource(one), ours: price(one).ours }));
const fitKind = (kind: Kind, of: typeof jobs): Factors => {
  const own = of.filter((each) => each.kind === kind);
  const single =
    own.length < FEWEST && kind !== 'collision' ? of.filter((each) => each.kind !== 'collision') : own;
  return fitFactors(
    single.map(({ one, ours }) => one.real / ours),
    LEFT_OUT[kind],
  );
};

/** Prices a job with ranges fitted to the jobs of other sources. */
function measure({ one, kind, source }: (typeof jobs)[number]) {
  const others = jobs.filter((each) => each.source !== source);
  const { spreads, ...tables } = tablesAt(one);
  const rows = spreads.rows.map((row) => {
    const fitted = KINDS.find((each) => each === row.of);
    return fitted === undefined ? row : { ...row, ...fitKind(fitted, others) };
  });
  const { min = 0, ours, max = 0 } = price(one, { ...tables, spreads: { ...spreads, rows } });
  const [from, to] = one.band ?? [one.real, one.real];
  const real = Math.min(to, Math.max(from, one.real));
  return { one, kind, ours, min, max, real };
}

const measured = jobs.map(measure);
const out = (text: string) => process.stdout.write(`${text}\n`);
const percent = (of: number, all: number) => `${Math.round((100 * of) / all)} %`;
const MISS = 10;
function row(name: string, of: typeof measured): string {
  const held = of.filter(({ min, max, real }) => min <= real && real <= max).length;
  const under = of.filter(({ max, real }) => real <= max).length;
  const mean = (pick: (one: (typeof measured)[number]) => number) =>
    of.reduce((sum, one) => sum + pick(one), 0) / of.length;
  const score = mean(
    ({ min, max, real }) =>
      Math.log(max / min) + MISS * (Math.max(0, Math.log(min / real)) + Math.max(0, Math.log(real / max))),
  );
  const ratios = of.map(({ ours, real }) => ours / real).sort((a, b) => a - b);
  const middle = ratios[Math.floor(ratios.length / 2)] ?? 1;
  const width = Math.exp(mean(({ min, max }) => Math.log(max / min)));
  return `| ${name} | ${of.length} | ${middle.toFixed(2)} | ${held} (${percent(held, of.length)}) | ${percent(under, of.length)} | ${width.toFixed(2)} | ${score.toFixed(2)} |`;
}

out(
  '| jobs, each source by the others | n | estimate / bill | held | under the upper end | high / low | score |',
);
out('| --- | --- | --- | --- | --- | --- | --- |');
for (const kind of KINDS) {
  const own = measured.filter((one) => one.kind === kind);
  if (own.length > 0) out(row(kind, own));
}
for (const region of [...new Set(jobs.map(({ one }) => one.region))])
  out(
    row(
      `jobs in ${region}`,
      measured.filter(({ one }) => one.region === region),
    ),
  );
out(row('all', measured));
out('');
for (const kind of KINDS) {
  const { low, high } = fitKind(kind, jobs);
  out(`${kind}: ${low.toFixed(2)} to ${high.toFixed(2)}`);
}
if (process.argv.includes('--cases'))
  for (const { one, kind, min, ours, max, real } of measured)
    out(
      `${kind} ${one.operation} ${(ours / real).toFixed(2)}: ${min.toFixed(0)} ${ours.toFixed(0)} ${max.toFixed(0)} for ${real} ${one.currency} ${one.region} ${one.source}`,
    );
