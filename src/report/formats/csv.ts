import type { VisualInspection } from '../../contract/inspection.ts';
import { describeAmountScope } from '../headline.ts';
import {
  checkRows,
  type DamageRow,
  listDamagePhotos,
  listDamageRows,
  type ReportInput,
  readVehicleId,
} from '../input.ts';
import type { Formatter } from './format.ts';

type Cell = string | number | null | undefined;
type Column = (row: Partial<DamageRow>, input: ReportInput, index: number) => Cell;

const COLUMNS: Readonly<Record<string, Column>> = {
  vehicle_id: (_, input) => readVehicleId(input),
  inspection_id: (_, { inspection, assessment }) =>
    inspection?.data.inspection_id ?? assessment?.data.inspection_id,
  assessment_id: (_, { assessment }) => assessment?.data.assessment_id,
  status: (_, { inspection }) => inspection?.data.status ?? 'completed',
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
  photos: ({ found }) => (found ? listDamagePhotos(found).length : undefined),
  detail: ({ id, found }, { inspection }) =>
    id === undefined ? explainNone(inspection?.data) : found?.detail,
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
  parts_seen: (_, input) => readCoverage(input)?.seen,
  parts: (_, input) => readCoverage(input)?.of,
  // It holds for the amounts of every row; in each it would hide the rest.
  cost_scope: ({ id }, input, index) =>
    id === undefined || index > 0 ? undefined : describeAmountScope(input),
};

/** Returns the coverage of an inspection that has it; older inspections do not. */
function readCoverage({ inspection }: ReportInput) {
  const coverage = inspection?.data.results?.coverage;
  return coverage && coverage.of > 0 ? coverage : undefined;
}

function findRecommended({ assessed }: Partial<DamageRow>) {
  return assessed?.repair_options.find((option) => option.option === assessed.recommended_repair.option);
}

/** Returns why no find is listed: what failed, or that none was found on the parts seen. */
function explainNone(data: VisualInspection | undefined): string | undefined {
  if (data?.results) return data.results.grade_basis.message;
  return data?.failure && `${data.failure.code}: ${data.failure.message}`;
}

/**
 * Renders one row per damage and per place to check (RFC 4180, UTF-8, CRLF, dot as decimal separator); the header is
 * always there. An inspection that lists nothing is one row without id and certainty that says why, so that neither a
 * failed one is read as a vehicle without damage, nor one of few parts as one of all.
 */
export const formatCsv: Formatter = (input) => {
  const finds: readonly Partial<DamageRow>[] = [...listDamageRows(input), ...checkRows(input)];
  const isEmpty = input.inspection !== null && finds.length === 0;
  const rows = (isEmpty ? [{}] : finds).map((row, index) =>
    Object.values(COLUMNS).map((column) => column(row, input, index)),
  );
  return [Object.keys(COLUMNS), ...rows].map((row) => `${row.map(writeCsvCell).join(',')}\r\n`).join('');
};

/**
 * Returns a cell, quoted where it must be. A text that a spreadsheet would run as a formula gets an apostrophe in
 * front.
 */
export function writeCsvCell(value: Cell): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
