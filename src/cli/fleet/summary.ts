import { Chalk } from 'chalk';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import { SEVERITIES } from '../../domain/damage.ts';
import { displayName } from '../../images/display-name.ts';
import { csvCell } from '../format/csv.ts';
import { plainTable } from '../format/plain-table.ts';

/** How one vehicle ended; `error` has no result, `not_begun` was cut off by a stop. */
export const FLEET_STATUSES = ['completed', 'failed', 'error', 'not_begun'] as const;
export type FleetStatus = (typeof FLEET_STATUSES)[number];

/** One vehicle in the summary; amounts in major units of `currency`. */
export interface SummaryRow {
  readonly vehicle_id: string;
  readonly folder: string;
  readonly status: FleetStatus;
  readonly condition: string | null;
  readonly condition_score: number | null;
  readonly damages: number | null;
  readonly worst_severity: string | null;
  readonly cost_min: number | null;
  readonly cost_max: number | null;
  readonly currency: string | null;
  readonly photos: number;
  readonly rejected: number;
  readonly result: string | null;
  /** Why there is no result, or which threshold was hit. */
  readonly message: string | null;
}

const NOTHING = {
  condition: null,
  condition_score: null,
  damages: null,
  worst_severity: null,
  cost_min: null,
  cost_max: null,
  currency: null,
  photos: 0,
  rejected: 0,
  result: null,
} as const;

/** The row of a vehicle without a result. */
export function rowWithout(
  status: 'error' | 'not_begun',
  vehicleId: string,
  folder: string,
  message: string | null,
): SummaryRow {
  return { ...NOTHING, vehicle_id: vehicleId, folder, status, message };
}

/** The row of a vehicle with its result. */
export function rowOf(
  { data }: InspectionEnvelope,
  folder: string,
  result: string,
  message: string | null,
): SummaryRow {
  const { results } = data;
  const found = results && {
    condition: results.overall_condition,
    condition_score: results.condition_score,
    damages: results.damages.length,
    worst_severity:
      SEVERITIES.findLast((severity) => results.damages.some((damage) => damage.severity === severity)) ??
      null,
    cost_min: results.damage_summary.total_estimated_repair.min,
    cost_max: results.damage_summary.total_estimated_repair.max,
    currency: results.damage_summary.total_estimated_repair.currency,
  };
  return {
    ...NOTHING,
    vehicle_id: data.vehicle_id,
    folder,
    status: results ? 'completed' : 'failed',
    ...found,
    photos: data.images.length,
    rejected: data.rejected_images.length,
    result,
    message,
  };
}

const COLUMNS = [
  'vehicle_id',
  'folder',
  'status',
  'condition',
  'condition_score',
  'damages',
  'worst_severity',
  'cost_min',
  'cost_max',
  'currency',
  'photos',
  'rejected',
  'result',
  'message',
] as const satisfies readonly (keyof SummaryRow)[];

/** One line per vehicle (RFC 4180); the head line is always there. */
export function summaryCsv(rows: readonly SummaryRow[]): string {
  const lines = rows.map((row) => COLUMNS.map((column) => csvCell(row[column])));
  return [COLUMNS, ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
}

/** What became of one vehicle, in a few words. */
export function outcome(row: SummaryRow): string {
  if (row.damages === null) return row.message ?? row.status.replace('_', ' ');
  const count = `${row.damages} damage${row.damages === 1 ? '' : 's'}`;
  return `${row.condition} ${row.condition_score?.toFixed(1)}/10, ${count}${row.damages ? `, ${cost(row)}` : ''}`;
}

/** The summary as a table, with a line of totals. */
export function summaryTable(rows: readonly SummaryRow[], colour: 0 | 1 | 2 | 3): string {
  const chalk = new Chalk({ level: colour });
  const head = ['Vehicle', 'Condition', 'Damages', 'Worst', 'Repair', 'Photos', 'Status'];
  const cells = rows.map((row) => [
    displayName(row.vehicle_id),
    row.condition_score === null ? '–' : `${row.condition} ${row.condition_score.toFixed(1)}/10`,
    row.damages === null ? '–' : String(row.damages),
    row.worst_severity ?? '–',
    row.damages ? cost(row) : '–',
    row.rejected > 0 ? `${row.photos} (${row.rejected} rejected)` : String(row.photos),
    row.status === 'completed' ? 'completed' : chalk.bold(row.status.replace('_', ' ')),
  ]);
  const table = plainTable(head, cells, { chalk, right: ['Damages'] });
  return `${table}\n\n${totals(rows)}\n`;
}

function totals(rows: readonly SummaryRow[]): string {
  const ended = FLEET_STATUSES.flatMap((status) => {
    const count = rows.filter((row) => row.status === status).length;
    return count > 0 ? [`${count} ${status.replace('_', ' ')}`] : [];
  });
  const found = rows.reduce((all, row) => all + (row.damages ?? 0), 0);
  const currency = rows.find((row) => row.currency !== null)?.currency;
  const sum = (pick: (row: SummaryRow) => number | null) =>
    rows.reduce((all, row) => all + Math.round((pick(row) ?? 0) * 100), 0) / 100;
  const money = currency
    ? `, repair ${range(
        sum((row) => row.cost_min),
        sum((row) => row.cost_max),
        currency,
      )}`
    : '';
  return `${rows.length} vehicles: ${ended.join(', ')}; ${found} damages${money}`;
}

function cost({ cost_min, cost_max, currency }: SummaryRow): string {
  return range(cost_min ?? 0, cost_max ?? 0, currency ?? '');
}

function range(min: number, max: number, currency: string): string {
  const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
  return `${number.format(min)}–${number.format(max)} ${currency}`;
}
