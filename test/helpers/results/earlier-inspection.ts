import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';

/** An inspection as it was before places to check, coverage and the price as one job were kept. */
export function makeEarlier(envelope: InspectionEnvelope): object {
  const { vehicle_groups, settings, results, ...data } = envelope.data;
  if (!results) return { ...envelope, data: { ...data, results } };
  const { to_check, repair_cost, if_all_confirmed, coverage, grade_basis, next_photos, ...kept } = results;
  const { implausible, ...dropped } = kept.dropped_detections;
  return { ...envelope, data: { ...data, results: { ...kept, dropped_detections: dropped } } };
}
