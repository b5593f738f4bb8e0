import type { InspectionEnvelope } from './inspection.ts';

/** Vehicle class of a result without a price as one job. */
export const UNKNOWN_CLASS = 'unknown';

const NOTE =
  'The result predates places to check: it lists none, and does not state what the photos do not show.';

/**
 * Upgrades an inspection that predates places to check, coverage and the price as one job: adds them empty or unknown,
 * with a warning. Returns anything else unchanged, even if it lacks only some of them. Performs no validation: the
 * result still has to be checked against the schema.
 */
export function withLaterFields(value: unknown): unknown {
  const { data } = asRecord(value);
  const inspection = asRecord(data);
  const results = asRecord(inspection.results);
  const later = ['vehicle_groups', 'settings'].some((name) => name in inspection);
  if (later || !('inspection_id' in inspection) || 'to_check' in results) return value;
  const warnings = Array.isArray(inspection.warnings) ? inspection.warnings : [];
  return {
    ...asRecord(value),
    data: {
      ...inspection,
      vehicle_groups: [],
      settings: { sensitivity: 'unknown', min_confidence: null },
      warnings: [...warnings, { code: 'earlier_result', message: NOTE }],
      ...(inspection.results ? { results: addLaterResults(results) } : {}),
    },
  };
}

type Results = NonNullable<InspectionEnvelope['data']['results']>;

function addLaterResults(results: Readonly<Record<string, unknown>>): unknown {
  const summary = asRecord(results.damage_summary);
  const sum = asRecord(summary.total_estimated_repair);
  const damages = Array.isArray(results.damages) ? results.damages : [];
  const cost = {
    ...sum,
    estimated: damages.reduce(
      (total: number, damage) => total + Number(asRecord(asRecord(damage).estimated_repair).estimated),
      0,
    ),
    vehicle_class: UNKNOWN_CLASS,
    items: damages.length,
  };
  return {
    ...results,
    to_check: [],
    repair_cost: cost,
    if_all_confirmed: cost,
    coverage: { seen: 0, too_small: 0, not_seen: 0, of: 0, share: 0, sides: [], parts: [] },
    grade_basis: {
      code: 'parts_seen',
      parts_seen: 0,
      parts: 0,
      sides_missing: [],
      capped: false,
      message: 'graded before visible parts were recorded',
    } satisfies Results['grade_basis'],
    next_photos: [],
    dropped_detections: { implausible: 0, ...asRecord(results.dropped_detections) },
  };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}
