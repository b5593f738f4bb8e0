/**
 * Holds the price tables against published figures (published-estimates.json, and the medians the tables were made
 * from): ratio of ours to the published figure, median deviation, and the share of published figures inside our range,
 * per operation. Prints a table. Run with `npx tsx test/bench/estimates.ts`; `--cases` prints every case.
 */
import { readFileSync } from 'node:fs';
import type { PartName } from '../../src/domain/parts.ts';
import type { Equipment } from '../../src/domain/vehicle.ts';
import { createPricingContext, type Tables } from '../../src/pricing/index.ts';
import { computeRepairTenths } from '../../src/pricing/option/judgement.ts';
import { choosePart } from '../../src/pricing/option/plans/parts.ts';
import { findPartFactor, findSpread } from '../../src/pricing/option/spread.ts';
import { findTarget } from '../../src/pricing/option/target.ts';
import { assessed, TABLES } from '../helpers/pricing/assessments.ts';
import { MEDIANS } from '../helpers/pricing/published-medians.ts';

interface LookUp {
  readonly part: string;
  readonly measure: string;
}
interface Case {
  readonly operation: string;
  readonly real: number;
  readonly region: string;
  readonly source: string;
  readonly class?: string;
  readonly currency?: string;
  /** What is known of the vehicle's equipment, for a look-up. */
  readonly vehicle?: Equipment;
  readonly look_up?: LookUp;
  readonly job?: { damages: object[]; vehicle: object; overrides: object[] };
  /** Rates of the source itself in place of the region's, per department. */
  readonly rates?: { readonly all: readonly [number, number] } & Record<string, readonly [number, number]>;
  /** Share of parts and materials that the source charges as tax; `real` holds it. */
  readonly tax_rate?: number;
  /** Where the source gives a range: its ends. */
  readonly band?: readonly [number, number];
}
interface Figure {
  readonly min: number;
  readonly ours: number;
  readonly max: number;
  /** Upper end with what teardown usually finds. */
  readonly torn?: number | undefined;
  /** The lines as seen alone. */
  readonly seen?: number | undefined;
}

/** What each looked-up measure is an operation of: its spread counts. */
const SPREAD_OF: Readonly<Record<string, string>> = {
  replace: 'R&R',
  replace_aim: 'R&R',
  section: 'Sect',
  remove_install: 'R&I',
  repair: 'Rpr',
  repair_minor: 'Rpr',
  refinish_repair: 'Refn',
  refinish_new: 'Refn',
  repair_refinish: 'Refn',
  replace_refinish: 'Refn',
  clear: 'Clear',
  'stages_of_4.2': '3-stg',
  materials: 'paint_materials',
};

function lookUp({ look_up, region, vehicle = {}, class: vehicleClass = 'standard' }: Case): Figure {
  const { part, measure } = look_up as LookUp;
  const { currency } = TABLES.regions.rows.find((row) => row.code === region) ?? { currency: 'USD' };
  const ctx = createPricingContext(TABLES, {
    region,
    currency,
    vehicleClass: vehicleClass as 'standard',
    equipment: vehicle,
  });
  const { clear_first, three_stage_first } = TABLES.refinish;
  const damage = {
    type: 'dent',
    part: (part === '-' ? 'hood' : part) as PartName,
    severity: measure === 'repair_minor' ? 'minor' : 'moderate',
    severityScore: measure === 'repair_minor' ? 2 : 3.75,
  } as const;
  const target = findTarget(damage, ctx);
  const { facts } = target;
  const tenth = (hours: number) => Math.round(hours * 10) / 10;
  const major = (minor: number) => minor / (currency === 'JPY' ? 1 : 100);
  const price = (source: 'oem' | 'aftermarket' | 'recycled') => {
    const bought = choosePart(source, target);
    return bought === undefined ? Number.NaN : major(bought.priceMinor);
  };
  const values: Readonly<Record<string, () => number>> = {
    replace: () => facts.replace_hours,
    replace_aim: () => facts.replace_hours + facts.aim_hours,
    section: () => facts.section_hours,
    remove_install: () => facts.remove_install_hours,
    repair: () => computeRepairTenths(damage, facts.repair_hours, TABLES.operations) / 10,
    repair_minor: () => computeRepairTenths(damage, facts.repair_hours, TABLES.operations) / 10,
    refinish_repair: () => facts.refinish_repair_hours,
    refinish_new: () => facts.refinish_new_hours,
    repair_refinish: () => tenth(facts.refinish_repair_hours * (1 + clear_first)),
    replace_refinish: () => tenth(facts.refinish_new_hours * (1 + clear_first)),
    clear: () => tenth(facts.refinish_repair_hours * clear_first),
    'stages_of_4.2': () => tenth(4.2 * three_stage_first),
    materials: () => major(ctx.materials.est),
    oem: () => price('oem'),
    aftermarket: () => price('aftermarket'),
    recycled: () => price('recycled'),
  };
  const ours = values[measure]?.() ?? Number.NaN;
  const bought = ['oem', 'aftermarket', 'recycled'].includes(measure);
  const spare = bought ? choosePart(measure as 'oem', target) : undefined;
  const { low, high } =
    spare === undefined
      ? findSpread(SPREAD_OF[measure] ?? '', TABLES)
      : { low: findPartFactor(spare, ctx, 'min'), high: findPartFactor(spare, ctx, 'max') };
  return { min: ours * low, ours, max: ours * high };
}

/** The shipped tables, with the rates of a source in place of its region's. */
function tablesAt({ region, rates, tax_rate }: Case): Tables {
  if (rates === undefined) return TABLES;
  const { all, ...departments } = rates;
  const rows = TABLES.regions.rows.map((row) =>
    row.code === region
      ? {
          ...row,
          ...(tax_rate === undefined ? {} : { tax_rate }),
          rate_per_hour: [...all] as [number, number],
          departments: { ...row.departments, ...departments },
        }
      : row,
  );
  return { ...TABLES, regions: { ...TABLES.regions, rows } } as Tables;
}

function price(one: Case): Figure {
  const { job, region, currency } = one;
  const { data } = assessed(
    { ...job, assessment_options: { labor_rate_region: region, currency } },
    tablesAt(one),
  );
  const costs = data.summary.repair_cost_summary;
  const { adjusted_total: seen, after_teardown: after, tax } = costs;
  const total = costs.first_bill ?? seen;
  const gross = one.tax_rate === undefined || tax === undefined ? 1 : tax.gross_total / tax.net_total;
  const times = (amount: number | undefined) => (amount === undefined ? undefined : amount * gross);
  return {
    min: total.min * gross,
    ours: total.estimated * gross,
    max: total.max * gross,
    torn: times(after?.max),
    seen: times(seen.estimated),
  };
}

const cases = (
  JSON.parse(readFileSync(new URL('./published-estimates.json', import.meta.url), 'utf8')) as {
    cases: Case[];
  }
).cases;
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

const results = [...cases, ...fitted].map((one) => {
  const figure = one.look_up === undefined ? price(one) : lookUp(one);
  const [from, to] = one.band ?? [one.real, one.real];
  return { ...one, ...figure, ratio: figure.ours / one.real, inside: figure.min <= to && figure.max >= from };
});

const median = (values: readonly number[]) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
};
const percent = (share: number) => `${Math.round(share * 100)} %`;
type Result = (typeof results)[number];
function row(name: string, of: readonly Result[]): string {
  const ratios = of.map((one) => one.ratio);
  const far = ratios.map((ratio) => Math.abs(ratio - 1));
  const within = (limit: number) => percent(far.filter((one) => one <= limit).length / far.length);
  const inside = of.filter((one) => one.inside).length;
  const width = median(of.map((one) => (one.max - one.min) / one.ours));
  return `| ${name} | ${of.length} | ${median(ratios).toFixed(2)} | ${percent(median(far))} | ${within(0.15)} | ${within(0.3)} | ${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)} | ${inside}/${of.length} (${percent(inside / of.length)}) | ${width.toFixed(2)} |`;
}
const JOBS = ['PDR price', 'glass job', 'lamp job', 'job total', 'paint of a panel', 'whole claim'];
const isFitted = (one: Result) => one.operation.endsWith('(fitted)');
const names = [...new Set(results.map((one) => one.operation))];
const lines = [
  '| operation | n | median ratio | median deviation | within 15 % | within 30 % | lowest to highest | in our range | median width / price |',
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
  ...names.map((name) =>
    row(
      name,
      results.filter((one) => one.operation === name),
    ),
  ),
  row(
    'JOBS (PDR, glass, totals, claims)',
    results.filter((one) => JOBS.includes(one.operation)),
  ),
  row(
    'ALL BUT THE MEDIANS (known figures)',
    results.filter((one) => !isFitted(one) && one.rates === undefined),
  ),
];
const TORN = [
  'job total',
  'whole claim',
  'whole claim at its own rates',
  'first estimate at its own rates',
  'later first estimate at its own rates',
];
for (const name of TORN)
  lines.push(
    row(
      `${name}, with what teardown usually finds (in no sum)`,
      results
        .filter((one) => one.operation === name)
        .map((one) => ({ ...one, inside: one.min <= one.real && (one.torn ?? one.max) >= one.real })),
    ),
  );
for (const name of TORN)
  lines.push(
    row(
      `${name}, as seen (in no sum)`,
      results
        .filter((one) => one.operation === name)
        .map((one) => ({ ...one, ratio: (one.seen ?? one.ours) / one.real })),
    ),
  );
if (process.argv.includes('--cases')) {
  for (const one of results)
    lines.push(
      `${one.inside ? ' ' : '!'} ${one.operation}: ${one.min.toFixed(1)} / ${one.ours.toFixed(1)} / ${one.max.toFixed(1)} for ${one.real} (${one.ratio.toFixed(2)}) ${one.look_up?.part ?? ''} ${one.source}`,
    );
}
process.stdout.write(`${lines.join('\n')}\n`);
