import { Chalk, type ChalkInstance, type ColorSupportLevel } from 'chalk';
import type { InspectedResult } from '../../contract/result.ts';
import { SEVERITIES } from '../../domain/damage.ts';
import { formatCount } from '../../lib/format-count.ts';
import { sumBy } from '../../lib/lists.ts';
import { escapeName } from '../../lib/names.ts';
import { describeAmountScope } from '../../report/content/price-scope.ts';
import { ABSENT, formatMoneyRange, formatWholeMoney } from '../../report/figures.ts';
import { writeCsv } from '../../report/formats/csv.ts';
import { hasSeveralVehicles, isGraded } from '../../report/grade.ts';
import { describeVerdict } from '../../report/headline.ts';
import { renderPlainTable } from '../../report/text/plain-table.ts';
import { wrapText } from '../../report/text/terminal-lines.ts';
import type { FleetVehicle } from './vehicles.ts';

/** Outcome of a vehicle; `error` has no result, `not_begun` was skipped because of a stop. */
const FLEET_STATUSES = ['completed', 'failed', 'error', 'not_begun'] as const;
type FleetStatus = (typeof FLEET_STATUSES)[number];

/** Row of a vehicle without a result, in the order of the columns of the CSV; amounts in major units of `currency`. */
const EMPTY_ROW = {
  vehicle_id: '',
  folder: '',
  status: 'error' as FleetStatus,
  /** Null without a result or if too little was seen for a grade. */
  condition: null as string | null,
  condition_score: null as number | null,
  damages: null as number | null,
  /** Number of places to check, excluded from all totals. */
  to_check: null as number | null,
  worst_severity: null as string | null,
  /** Cost of all repairs as one job; null for photos of several vehicles. */
  cost_min: null as number | null,
  cost_max: null as number | null,
  currency: null as string | null,
  photos: 0,
  rejected: 0,
  result: null as string | null,
  /** Reason for a missing result, or the threshold reached. */
  message: null as string | null,
  /** With --assess: the likely first bill, repair time in working days, and whether it is a total loss. */
  assessed_cost: null as number | null,
  repair_days: null as number | null,
  total_loss: null as boolean | null,
  /** Scope of the amounts, and the addition expected after teardown. */
  cost_scope: null as string | null,
  /** Formatted grade, as in every other output, for the table and the JSON; null without a result. */
  grade: null as string | null,
};

export type SummaryRow = Readonly<typeof EMPTY_ROW>;

const COLUMNS = (Object.keys(EMPTY_ROW) as (keyof SummaryRow)[]).filter((name) => name !== 'grade');

export const makeEmptyRow = (
  status: 'error' | 'not_begun',
  { label, folder }: Pick<FleetVehicle, 'label' | 'folder'>,
  message: string | null = null,
): SummaryRow => ({ ...EMPTY_ROW, vehicle_id: label, folder, status, message });

export function makeRow(
  { inspection, assessment }: InspectedResult,
  folder: string,
  result: string,
  message: string | null,
): SummaryRow {
  const { data } = inspection;
  const { results } = data;
  const summary = assessment?.data.summary;
  const loss = summary?.total_loss;
  const found = results && {
    grade: describeVerdict(results),
    condition: isGraded(results) ? results.overall_condition : null,
    condition_score: isGraded(results) ? results.condition_score : null,
    damages: results.damages.length,
    to_check: results.to_check.length,
    worst_severity:
      SEVERITIES.findLast((tier) => results.damages.some((one) => one.severity === tier)) ?? null,
    cost_min: hasSeveralVehicles(results) ? null : results.repair_cost.min,
    cost_max: hasSeveralVehicles(results) ? null : results.repair_cost.max,
    currency: results.repair_cost.currency,
    cost_scope: describeAmountScope({ inspection, assessment }),
  };
  return {
    ...EMPTY_ROW,
    vehicle_id: data.vehicle_id,
    folder,
    status: results ? 'completed' : 'failed',
    ...found,
    photos: data.images.length,
    rejected: data.rejected_images.length,
    result,
    message,
    assessed_cost: summary?.repair_cost_summary.first_bill.estimated ?? null,
    repair_days: summary?.repair_timeline?.estimated_total_days ?? null,
    total_loss: loss === undefined || loss.verdict === 'unknown' ? null : loss.is_total_loss,
  };
}

/** Renders the summary as CSV (RFC 4180), one line per vehicle; the header is always present. */
export const renderSummaryCsv = (rows: readonly SummaryRow[]): string =>
  writeCsv(
    COLUMNS,
    rows.map((row) => COLUMNS.map((column) => row[column])),
  );

const describeStatus = (status: FleetStatus) => status.replace('_', ' ');

export function describeOutcome(row: SummaryRow): string {
  if (row.damages === null) return row.message ?? describeStatus(row.status);
  const count = formatCount(row.damages, 'damage');
  const unchecked = row.to_check ? `, ${row.to_check} to check` : '';
  return `${row.grade}, ${count}${unchecked}${row.cost_min === null || !row.damages ? '' : `, ${formatCost(row)}`}`;
}

export function renderSummaryTable(rows: readonly SummaryRow[], color: ColorSupportLevel, columns: number) {
  const chalk = new Chalk({ level: color });
  const assessed = rows.some((row) => row.assessed_cost !== null);
  const head = ['vehicle', 'condition', 'damages', 'to check', 'repair', 'photos'];
  if (assessed) head.splice(5, 0, 'assessed');
  const cells = rows.map((row) => [
    escapeName(row.vehicle_id),
    row.grade ?? chalk.bold(describeStatus(row.status)),
    row.damages === null ? ABSENT : String(row.damages),
    row.to_check === null ? ABSENT : String(row.to_check),
    row.damages ? formatCost(row) : ABSENT,
    ...(assessed ? [formatAssessed(row, chalk)] : []),
    row.rejected > 0 ? `${row.photos} (${row.rejected} rejected)` : String(row.photos),
  ]);
  const table = renderPlainTable(head, cells, {
    color,
    right: ['damages', 'to check', 'repair'],
    columns,
    wrap: ['vehicle', 'condition', 'assessed', 'photos'],
  });
  const scopes = [...new Set(rows.flatMap(({ cost_scope }) => cost_scope ?? []))];
  const scope =
    scopes.length > 1
      ? ['Without tax. The column cost_scope of summary.csv says what the amounts of each vehicle include.']
      : scopes;
  return `${[table, ...[formatTotals(rows), ...scope].map((line) => wrapText(line, columns))].join('\n\n')}\n`;
}

function formatAssessed(row: SummaryRow, chalk: ChalkInstance): string {
  if (row.assessed_cost === null) return ABSENT;
  const days = row.repair_days === null ? '' : `, ${formatCount(row.repair_days, 'day')}`;
  const loss = row.total_loss ? `, ${chalk.bold('total loss')}` : '';
  return `${formatWholeMoney(row.assessed_cost, row.currency ?? '')}${days}${loss}`;
}

function formatTotals(rows: readonly SummaryRow[]): string {
  const ended = FLEET_STATUSES.flatMap((status) => {
    const count = rows.filter((row) => row.status === status).length;
    return count > 0 ? [`${count} ${describeStatus(status)}`] : [];
  });
  const found = sumBy(rows, (row) => row.damages ?? 0);
  const currency = rows.find((row) => row.cost_min !== null)?.currency;
  const sum = (end: 'cost_min' | 'cost_max') => sumBy(rows, (row) => Math.round((row[end] ?? 0) * 100)) / 100;
  const unpriced = rows.filter((row) => row.damages && row.cost_min === null).length;
  const without = unpriced > 0 ? ` without ${formatCount(unpriced, 'folder')} of several vehicles` : '';
  const money = currency
    ? `, repair ${formatMoneyRange(sum('cost_min'), sum('cost_max'), currency)}${without}`
    : '';
  const toCheck = sumBy(rows, (row) => row.to_check ?? 0);
  return `${formatCount(rows.length, 'vehicle')}: ${ended.join(', ')}; ${formatCount(found, 'damage')}, ${toCheck} to check${money}`;
}

function formatCost({ cost_min, cost_max, currency }: SummaryRow): string {
  if (cost_min === null || cost_max === null) return ABSENT;
  return formatMoneyRange(cost_min, cost_max, currency ?? '');
}
