import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { Decision } from '../../contract/review.ts';
import { isPlaceToCheckId } from '../../domain/damage.ts';
import { findVehicle, groupAsDecided, splitByVehicle } from '../../domain/vehicle-photos.ts';
import { endInspection } from '../inspect/finish.ts';
import { listVehicleWarnings } from '../inspect/photo-warnings.ts';
import { presentGroups } from '../inspect/present-photos.ts';

/**
 * Groups the photos of a result by vehicle as a reviewer decided. Findings seen on several vehicles are split; grades and
 * prices stay those of the earlier groups.
 */
export function regroup(envelope: InspectionEnvelope, decisions: readonly Decision[]): InspectionEnvelope {
  const { data } = envelope;
  const { images: photos, vehicle_groups: found, results } = data;
  const vehicles = groupAsDecided(photos, found, decisions);
  const isAsFound = vehicles.every(({ vehicle, images }) =>
    images.every((index) => findVehicle(index, found) === vehicle),
  );
  if (isAsFound || !results) return envelope;
  const colorOf = (images: readonly number[]) =>
    found.find((group) => images.some((index) => group.images.includes(index)))?.color ??
    images.flatMap((index) => photos[index]?.record?.color ?? [])[0] ??
    'unknown';
  const groups = presentGroups(
    vehicles.map(({ images }) => images),
    photos,
    colorOf,
  );
  const annotated = new Map(photos.flatMap(({ index, annotated_url: url }) => (url ? [[index, url]] : [])));
  const findings = splitByVehicle([...results.damages, ...results.to_check], vehicles);
  const warnings = data.warnings.filter(({ code }) => code !== 'several_vehicles');
  const { claim, vehicle = {} } = data;
  const regrouped = {
    ...data,
    vehicle_groups: groups,
    warnings: [...warnings, ...listVehicleWarnings(groups)],
    results: {
      ...results,
      damages: findings.filter(({ damage_id: id }) => !isPlaceToCheckId(id)),
      to_check: findings.filter(({ damage_id: id }) => isPlaceToCheckId(id)),
    },
  };
  const file = { vehicle, ...(claim && { claim }) };
  return endInspection({ ...envelope, data: regrouped }, { file, annotated });
}
