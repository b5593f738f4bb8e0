import type { InspectionResults, VehicleResult } from '../contract/inspection.ts';
import type { Result } from '../contract/result.ts';

/** One of several vehicles of an inspection, as a separate result with only its photos and findings. */
export interface SingleVehicle extends Result {
  /** From 1, as in `vehicles` of the results. */
  readonly vehicle: number;
  readonly about: VehicleResult;
  readonly results: InspectionResults;
}

/**
 * Divides a result by vehicle; empty if its photos show only one. The parts have no estimate, because an estimate
 * covers one vehicle. Rejected photos and warnings belong to no vehicle and stay with the whole.
 */
export function splitVehicles(input: Result): readonly SingleVehicle[] {
  const { inspection, photos } = input;
  const { results } = inspection?.data ?? {};
  if (!inspection || !results) return [];
  return (results.vehicles ?? []).map((about): SingleVehicle => {
    const { group, images, color: _, damage_ids, to_check_ids, ...judged } = about;
    const own: InspectionResults = {
      ...judged,
      damages: results.damages.filter(({ damage_id: id }) => damage_ids.includes(id)),
      to_check: results.to_check.filter(({ damage_id: id }) => to_check_ids.includes(id)),
    };
    const { data } = inspection;
    const shown = { images: data.images.filter(({ index }) => images.includes(index)), results: own };
    const notOfOne = { rejected_images: [], missing_views: [], warnings: [], vehicle_groups: [] };
    return {
      inspection: { ...inspection, data: { ...data, ...shown, ...notOfOne } },
      assessment: null,
      ...(photos && { photos }),
      vehicle: group,
      about,
      results: own,
    };
  });
}
