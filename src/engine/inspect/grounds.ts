import type { Damage, Photo } from '../../contract/inspection.ts';
import type { Coverage, NextPhoto as WireNextPhoto } from '../../contract/inspection-grounds.ts';
import { listNextPhotos, type NextPhoto } from '../../domain/grading/next-photos.ts';
import type { VehicleCoverage } from '../../domain/grading/vehicle-coverage.ts';
import { roundTo } from '../../lib/numbers.ts';
import { describeNextPhoto } from './grounds-words.ts';

/** Grounds of a result in wire format: photo coverage of the vehicle, and the photos that would close its gaps. */
export interface Grounds {
  readonly coverage: Coverage;
  readonly nextPhotos: WireNextPhoto[];
}

/** Computes the grounds of a result; `photos` by index. */
export function createGrounds(
  covered: VehicleCoverage,
  toCheck: readonly Damage[],
  photos: readonly Photo[],
): Grounds {
  const isGlaring = (index: number) =>
    photos[index]?.issues.some(({ code }) => code === 'glare' || code === 'bright') === true;
  const glaringParts = new Set([
    ...covered.parts.filter(({ bestView }) => bestView && isGlaring(bestView.photo)).map(({ part }) => part),
    ...toCheck
      .filter(({ evidence }) => evidence.some(({ image_index }) => isGlaring(image_index)))
      .map(({ location }) => location.part),
  ]);
  const places = toCheck.map(({ damage_id, location }) => ({ id: damage_id, part: location.part }));
  const openPlaces = new Map(
    toCheck.filter(({ location }) => location.uncertain === 'side').map((one) => [one.damage_id, one.number]),
  );
  return {
    coverage: presentCoverage(covered, photos),
    nextPhotos: listNextPhotos(covered.parts, places, glaringParts).map((next, index) =>
      presentNextPhoto(next, index, next.damageId === null ? undefined : openPlaces.get(next.damageId)),
    ),
  };
}

function presentCoverage(covered: VehicleCoverage, photos: readonly Photo[]): Coverage {
  return {
    seen: covered.seenCount,
    too_small: covered.tooSmallCount,
    not_seen: covered.notSeenCount,
    of: covered.totalCount,
    share: covered.share,
    sides: covered.sides.map((one) => ({ ...one })),
    parts: covered.parts.map(({ part, status, bestView }) => ({
      part,
      status,
      reason: bestView?.reason ?? null,
      image_index: bestView?.photo ?? null,
      image_url: bestView ? (photos[bestView.photo]?.url ?? null) : null,
      cm_per_pixel: bestView ? roundTo(bestView.cmPerPixel, 3) : null,
      distance_m: bestView ? roundTo(bestView.distanceM, 1) : null,
    })),
  };
}

function presentNextPhoto(next: NextPhoto, index: number, openPlace: number | undefined): WireNextPhoto {
  return {
    order: index + 1,
    code: next.code,
    area: next.area,
    parts: [...next.parts],
    damage_id: next.damageId,
    distance_m: next.distanceM,
    light: next.light,
    reason: next.reason,
    ...describeNextPhoto(next, openPlace),
  };
}
