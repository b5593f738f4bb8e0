import type { Observation } from './observation.ts';

/** Observations of one damage over the photos; the most confident first. */
export type Cluster<T extends Observation = Observation> = readonly [T, ...T[]];

/** Maximum distance of two views of one damage, as a share of the part's extent. Assumed; perspective shifts it. */
const MAX_PLACE_DISTANCE = 0.38;
/** Maximum size ratio of one damage between views: at 80 degrees off perpendicular, a length shrinks to a sixth. */
const MAX_SIZE_RATIO = 6;

/**
 * Clusters the observations of one damage over all photos: same part (so never across left and right), same type and
 * subtype, compatible location and size, at most one per photo. Joins nearest pairs first, ties in the given order.
 */
export function mergeAcrossPhotos<T extends Observation>(observations: readonly T[]): readonly Cluster<T>[] {
  const pairs = observations.flatMap((one, a) =>
    observations.slice(a + 1).flatMap((other) => {
      const distance = computeDistance(one, other);
      return distance === null ? [] : [{ one, other, distance }];
    }),
  );
  const groups = new Map(observations.map((one) => [one, [one]]));
  for (const { one, other } of pairs.sort((a, b) => a.distance - b.distance)) {
    const [target, source] = [groups.get(one) as T[], groups.get(other) as T[]];
    if (target === source || sharesPhoto(target, source)) continue;
    target.push(...source);
    for (const moved of source) groups.set(moved, target);
  }
  return [...new Set(groups.values())].map(sortBestFirst);
}

/** Returns the distance of two observations as one damage (0 same location); null if they cannot be one. */
function computeDistance(a: Observation, b: Observation): number | null {
  if (a.photo === b.photo || a.part !== b.part || a.type !== b.type || a.subtype !== b.subtype) return null;
  const [one, other] = [a.longSideCm ?? b.longSideCm ?? 1, b.longSideCm ?? a.longSideCm ?? 1];
  const ratio = Math.max(0.1, one, other) / Math.max(0.1, Math.min(one, other));
  if (ratio > MAX_SIZE_RATIO) return null;
  // Without the part's extent the location is unknown, so such views join only if no better partner exists.
  if (!a.position || !b.position) return 1 + Math.log(ratio);
  const distance = Math.hypot(a.position.x - b.position.x, a.position.y - b.position.y);
  return distance <= MAX_PLACE_DISTANCE ? distance : null;
}

function sharesPhoto(a: readonly Observation[], b: readonly Observation[]): boolean {
  return a.some((one) => b.some((other) => one.photo === other.photo));
}

function sortBestFirst<T extends Observation>(group: readonly T[]): Cluster<T> {
  return group.toSorted(
    (a, b) => Number(b.isCertain) - Number(a.isCertain) || b.confidence - a.confidence || a.photo - b.photo,
  ) as [T, ...T[]];
}
