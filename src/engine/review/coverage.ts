import type { Photo, ToCheck } from '../../contract/inspection.ts';
import type { Coverage } from '../../contract/inspection-grounds.ts';
import { coverVehicle } from '../../domain/judge/vehicle-coverage.ts';
import type { PartView } from '../../domain/sight/part-coverage.ts';
import { createGrounds, type Grounds } from '../inspect/grounds.ts';

/**
 * Returns what the photos show after a review: a part that was too small in its best photo counts as seen where the
 * person saw nothing more in that photo. Parts that no photo shows stay so.
 */
export function updateCoverage(
  photos: readonly Photo[],
  coverage: Coverage,
  toCheck: readonly ToCheck[],
  photosChecked: readonly number[],
): Grounds {
  const views = coverage.parts.flatMap((one): PartView[] => {
    if (one.image_index === null) return [];
    const seenByPerson = one.status === 'too_small' && photosChecked.includes(one.image_index);
    return [
      {
        part: one.part,
        photo: one.image_index,
        status: seenByPerson ? 'seen' : one.status,
        reason: seenByPerson ? null : one.reason,
        cmPerPixel: one.cm_per_pixel ?? 0,
        distanceM: one.distance_m ?? 0,
      },
    ];
  });
  const covered = coverVehicle(views);
  return createGrounds(covered, toCheck, photos);
}
