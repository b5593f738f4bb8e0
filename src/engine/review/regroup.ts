import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { Decision } from '../../contract/review.ts';
import { isPlaceToCheckId } from '../../domain/damage.ts';
import { findVehicle, groupAsDecided, splitByVehicle } from '../../domain/vehicle-photos.ts';
import { endInspection } from '../inspect/finish.ts';
import { listVehicleWarnings } from '../inspect/photo-warnings.ts';

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
  const groups = vehicles.map(({ images }, at) => {
    const own = photos.filter(({ index }) => images.includes(index));
    const earlier = found.find((group) => images.some((index) => group.images.includes(index)));
    return {
      group: at + 1,
      images: [...images],
      image_urls: own.map(({ url }) => url),
      color: earlier?.color ?? own.flatMap(({ record }) => record?.color ?? [])[0] ?? 'unknown',
    };
  });
  const several = groups.length > 1 ? groups : [];
  const annotated = new Map(photos.map(({ index, annotated_url: url }) => [index, url]));
  const findings = splitByVehicle([...results.damages, ...results.to_check], vehicles).map((one) => ({
    ...one,
    annotated_url: annotated.get(one.evidence[0]?.image_index ?? -1) ?? null,
  }));
  const warnings = data.warnings.filter(({ code }) => code !== 'several_vehicles');
  const { claim, vehicle = {} } = data;
  const regrouped = {
    ...data,
    vehicle_groups: several,
    warnings: [...warnings, ...listVehicleWarnings(several)],
    results: {
      ...results,
      damages: findings.filter(({ damage_id: id }) => !isPlaceToCheckId(id)),
      to_check: findings.filter(({ damage_id: id }) => isPlaceToCheckId(id)),
    },
  };
  return endInspection({ ...envelope, data: regrouped }, { file: { vehicle, ...(claim && { claim }) } });
}
