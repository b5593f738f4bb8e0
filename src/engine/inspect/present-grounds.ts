import type { Photo, ToCheck } from '../../contract/inspection.ts';
import type { Coverage, NextPhoto } from '../../contract/inspection-grounds.ts';
import { nextPhotos } from '../../domain/judge/next-photos.ts';
import type { VehicleCoverage } from '../../domain/judge/vehicle-coverage.ts';
import { wordsForNextPhoto } from './grounds-words.ts';

/** Returns in wire form what the photos show of the vehicle. */
export function presentCoverage(
  covered: VehicleCoverage,
  photos: readonly { readonly url: string }[],
): Coverage {
  const count = (status: string) => covered.parts.filter((one) => one.status === status).length;
  return {
    seen: covered.seen,
    too_small: count('too_small'),
    not_seen: count('not_seen'),
    of: covered.of,
    share: Math.round((covered.seen / covered.of) * 100) / 100,
    sides: covered.sides.map((one) => ({ ...one })),
    parts: covered.parts.map(({ part, status, best }) => ({
      part,
      status,
      reason: best?.reason ?? null,
      image_index: best?.photo ?? null,
      image_url: best ? (photos[best.photo]?.url ?? null) : null,
      cm_per_pixel: best ? Math.round(best.cmPerPixel * 1000) / 1000 : null,
      distance_m: best ? Math.round(best.distanceM * 10) / 10 : null,
    })),
  };
}

/** Returns in wire form the photos that would close the gaps. */
export function presentNextPhotos(
  covered: VehicleCoverage,
  toCheck: readonly ToCheck[],
  photos: readonly Photo[],
): NextPhoto[] {
  const bright = photos.some(({ issues }) =>
    issues.some(({ code }) => code === 'glare' || code === 'bright'),
  );
  const places = toCheck.map(({ damage_id, location }) => ({ id: damage_id, part: location.part }));
  return nextPhotos(covered.parts, places, bright).map((next, i) => ({
    order: i + 1,
    code: next.code,
    area: next.area,
    parts: [...next.parts],
    damage_id: next.damageId,
    distance_m: next.distanceM,
    light: next.light,
    reason: next.reason,
    message: wordsForNextPhoto(next),
  }));
}
