import type { VisualInspection } from '../../contract/inspection.ts';
import type { Result } from '../../contract/result.ts';
import { describeAmountScope } from '../content/price-scope.ts';
import { pickVehicleId, readClaimFile } from '../facts.ts';
import { type DamageRow, listFindingRows } from '../finding-rows.ts';
import { listPartLines, type PartLine } from '../repair-lines.ts';
import { splitVehicles } from '../split-vehicles.ts';
import type { Formatter } from './format.ts';

export type Cell = string | number | boolean | null | undefined;
type Column<R> = (row: R, input: Result & { readonly vehicle?: number }, index: number) => Cell;

/** Leading columns of both tables, for combining rows of several vehicles in one sheet. */
const RESULT_COLUMNS = {
  vehicle_id: (_, input) => pickVehicleId(input),
  inspection_id: (_, { inspection, assessment }) =>
    inspection?.data.inspection_id ?? assessment?.data.inspection_id,
  assessment_id: (_, { assessment }) => assessment?.data.assessment_id,
  status: (_, { inspection }) => inspection?.data.status ?? 'completed',
  vin: (_, input) => readClaimFile(input).vehicle?.vin,
  plate: (_, input) => readClaimFile(input).vehicle?.plate,
  odometer: (_, input) => {
    const { odometer } = readClaimFile(input).vehicle ?? {};
    return odometer && `${odometer.value} ${odometer.unit}`;
  },
} as const satisfies Readonly<Record<string, Column<unknown>>>;

const COLUMNS: Readonly<Record<string, Column<Partial<DamageRow>>>> = {
  ...RESULT_COLUMNS,
  certainty: ({ id, toCheck }) => (id === undefined ? undefined : toCheck ? 'to_check' : 'certain'),
  number: ({ number }) => number,
  damage_id: ({ id }) => id,
  part: ({ part }) => part,
  side: ({ side }) => side,
  type: ({ type }) => type,
  subtype: ({ subtype }) => subtype,
  severity: ({ severity }) => severity,
  severity_score: ({ score }) => score,
  confidence: ({ found }) => found?.confidence,
  length_cm: ({ found }) => found?.measurements?.length,
  width_cm: ({ found }) => found?.measurements?.width,
  diameter_cm: ({ found }) => found?.measurements?.diameter,
  depth_cm: ({ found }) => found?.measurements?.depth,
  uncertainty_cm: ({ found }) => found?.measurements?.uncertainty_cm,
  image_url: ({ found }) => found?.image_url,
  x: ({ found }) => found?.location.coordinates.x,
  y: ({ found }) => found?.location.coordinates.y,
  width: ({ found }) => found?.location.coordinates.width,
  height: ({ found }) => found?.location.coordinates.height,
  image_width: ({ found }) => found?.location.coordinates.image_width,
  image_height: ({ found }) => found?.location.coordinates.image_height,
  photos: ({ found }) => found && new Set(found.evidence.map((one) => one.image_url)).size,
  detail: ({ id, found }, { inspection }) =>
    id === undefined ? explainMissing(inspection?.data) : found?.detail,
  repair_type: (row) => findRecommended(row)?.repair_type ?? row.found?.estimated_repair.repair_type,
  repair_option: ({ assessed }) => assessed?.recommended_repair.option,
  labor_hours: (row) => findRecommended(row)?.labor.hours,
  labor_cost: (row) => findRecommended(row)?.total_cost.labor,
  parts_cost: (row) => findRecommended(row)?.total_cost.parts,
  cost_min: ({ found, assessed }) => assessed?.recommended_repair.min_cost ?? found?.estimated_repair.min,
  cost_estimated: ({ found, assessed }) =>
    assessed?.recommended_repair.estimated_cost ?? found?.estimated_repair.estimated,
  cost_max: ({ found, assessed }) => assessed?.recommended_repair.max_cost ?? found?.estimated_repair.max,
  currency: ({ found, assessed }) =>
    assessed?.recommended_repair.currency ?? found?.estimated_repair.currency,
  parts_seen: (_, { inspection }) => inspection?.data.results?.coverage.seen,
  parts: (_, { inspection }) => inspection?.data.results?.coverage.of,
  cost_scope: ({ id }, input, index) => nameScope(id !== undefined, input, index),
  vehicle: (_, { vehicle }) => vehicle,
};

const PART_COLUMNS: Readonly<Record<string, Column<Partial<PartLine>>>> = {
  ...RESULT_COLUMNS,
  kind: ({ kind }) => kind,
  part: ({ part }) => part,
  severity: ({ severity }) => severity,
  numbers: ({ rows = [] }) => rows.map(({ number }) => number).join(' '),
  damage: ({ words, kind }, { inspection }) =>
    kind === undefined ? explainMissing(inspection?.data) : words,
  repair: ({ action }) => action,
  cost: ({ cost }) => cost,
  currency: ({ currency }) => currency,
  image_url: ({ rows = [] }) => rows[0]?.found?.image_url,
  damage_ids: ({ rows = [] }) => rows.map(({ id }) => id).join(' '),
  cost_scope: ({ cost }, input, index) => nameScope(cost !== undefined, input, index),
  vehicle: (_, { vehicle }) => vehicle,
};

/** Returns the scope of the amounts in the first row only, because repetition would obscure the other columns. */
function nameScope(isPriced: boolean, input: Result, index: number): Cell {
  return isPriced && index === 0 ? describeAmountScope(input) : undefined;
}

function findRecommended({ assessed }: Partial<DamageRow>) {
  return assessed?.repair_options.find((option) => option.option === assessed.recommended_repair.option);
}

/** Explains why no finding is listed: the failure, or that none was found on the visible parts. */
export function explainMissing(data: VisualInspection | undefined): string | undefined {
  if (data?.results) return data.results.grade_basis.message;
  return data?.failure && `${data.failure.code}: ${data.failure.message}`;
}

/** Renders one row per finding (RFC 4180, UTF-8, CRLF); without findings, one row without id says why. */
export const formatCsv: Formatter = (input) => writeTable(COLUMNS, input, listFindingRows);

/** Renders the repair as one row per part; column `cost` adds up to the price of the job to the cent. */
export const formatPartsCsv: Formatter = (input) =>
  writeTable<PartLine>(PART_COLUMNS, input, (part) => listPartLines(part));

function writeTable<R>(
  columns: Readonly<Record<string, Column<Partial<R>>>>,
  input: Result,
  list: (part: Result) => readonly Partial<R>[],
): string {
  const vehicles = splitVehicles(input);
  const cells = (vehicles.length > 0 ? vehicles : [input]).flatMap((part) => {
    const found = list(part);
    const rows = found.length === 0 && part.inspection !== null ? [{}] : found;
    return rows.map((row, index) => Object.values(columns).map((column) => column(row, part, index)));
  });
  return writeCsv(Object.keys(columns), cells);
}

/** Renders a table with its header (RFC 4180, UTF-8, CRLF). */
export const writeCsv = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [columns, ...rows].map((row) => `${row.map(writeCsvCell).join(',')}\r\n`).join('');

/** Formats a cell, quoted if necessary. An apostrophe precedes text that a spreadsheet would evaluate as a formula. */
export function writeCsvCell(value: Cell): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
