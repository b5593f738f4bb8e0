/** Published jobs and figures, and what vehi estimates for them; shared by estimates.ts and ranges.ts. */
import { readFileSync } from 'node:fs';
import type { Equipment } from '../../src/domain/vehicle/vehicle.ts';
import type { Tables } from '../../src/pricing/tables/load.ts';
import { assessed, TABLES } from '../helpers/pricing/assessments.ts';

export interface LookUp {
  readonly part: string;
  readonly measure: string;
}
export interface Case {
  readonly operation: string;
  readonly real: number;
  readonly region: string;
  readonly source: string;
  readonly class?: string;
  readonly currency?: string;
  /** Known equipment of the vehicle, for a look-up. */
  readonly vehicle?: Equipment;
  readonly look_up?: LookUp;
  readonly job?: { damages: object[]; vehicle: object; overrides: object[] };
  /** Rates of the source instead of the region's, per department. */
  readonly rates?: { readonly all: readonly [number, number] } & Record<string, readonly [number, number]>;
  /** Tax rate of the source on parts and materials, included in `real`. */
  readonly tax_rate?: number;
  /** Low and high end, if the source gives a range. */
  readonly band?: readonly [number, number];
}
export interface Range {
  readonly min: number;
  readonly ours: number;
  readonly max: number;
}
/** A looked-up figure has no range; a job has the ranges of its first bill and of its visible lines. */
export interface Figure extends Partial<Range> {
  readonly ours: number;
  readonly seen?: Range;
}

/** Returns the shipped tables, with a source's rates instead of its region's. */
export function tablesAt({ region, rates, tax_rate }: Case): Tables {
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

export function price(one: Case, tables: Tables = tablesAt(one)): Figure {
  const { job, region, currency } = one;
  const { data } = assessed({ ...job, assessment_options: { labor_rate_region: region, currency } }, tables);
  const costs = data.summary.repair_cost_summary;
  const { adjusted_total: seen, first_bill: first = seen, tax } = costs;
  const gross = one.tax_rate === undefined || tax === undefined ? 1 : tax.gross_total / tax.net_total;
  const times = ({ min, estimated, max }: typeof seen): Range => ({
    min: min * gross,
    ours: estimated * gross,
    max: max * gross,
  });
  return { ...times(first), seen: times(seen) };
}

export const cases = (
  JSON.parse(readFileSync(new URL('./published-estimates.json', import.meta.url), 'utf8')) as {
    cases: Case[];
  }
).cases;

/** The name of the publication, without what it says of the figure. */
export const nameSource = ({ source }: Case) => source.split(/[,:(]/)[0] ?? source;

export const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
export const median = (values: readonly number[]) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return mean(sorted.slice(sorted.length % 2 === 1 ? middle : middle - 1, middle + 1));
};
