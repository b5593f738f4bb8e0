import { compareTexts } from '../../lib/names.ts';
import { computeShareOfSmaller } from '../geometry.ts';
import type { Cluster } from './merge-across-photos.ts';
import type { Observation } from './observation.ts';

/** One place on the vehicle: the leading finding and further ones, most severe first. */
export interface Place<T extends Observation = Observation> {
  readonly head: Cluster<T>;
  readonly joined: readonly Cluster<T>[];
}

/** Share of the smaller box inside the larger above which two findings on one part are at the same place. */
const SAME_PLACE_SHARE = 0.5;
/** Share above which a possible finding on another part is at the same place. Assumed. */
const REPEATED_SHARE = 0.75;

/**
 * Groups findings by place. Certain findings lead, most severe first. A possible finding joins the place that it
 * overlaps, else the other possible ones on its part, so that each part is one row to look at; of these the one with
 * the highest severity times confidence leads. Independent of the order of the clusters.
 */
export function joinPlaces<T extends Observation>(clusters: readonly Cluster<T>[]): readonly Place<T>[] {
  const places: { head: Cluster<T>; joined: Cluster<T>[] }[] = [];
  for (const next of [...clusters].sort(compareLeaders)) {
    // Certain findings join only by overlap with the leading one: a chain of overlaps is not one damage.
    const match =
      places.find(({ head, joined }) =>
        next[0].isCertain ? overlaps(head, next) : [head, ...joined].some((one) => overlaps(one, next)),
      ) ?? places.find(({ head }) => arePossibleOnOnePart(head, next));
    if (match) match.joined.push(next);
    else places.push({ head: next, joined: [] });
  }
  return places;
}

function arePossibleOnOnePart([one]: Cluster, [other]: Cluster): boolean {
  return !one.isCertain && !other.isCertain && one.part === other.part;
}

function overlaps(one: Cluster, other: Cluster): boolean {
  const isSamePart = one[0].part === other[0].part;
  if (!isSamePart && other[0].isCertain) return false;
  const minShare = isSamePart ? SAME_PLACE_SHARE : REPEATED_SHARE;
  return one.some((a) =>
    other.some((b) => a.photo === b.photo && computeShareOfSmaller(a.box, b.box) > minShare),
  );
}

function compareLeaders(a: Cluster, b: Cluster): number {
  const weigh = (one: Cluster) => one[0].severityScore * (one[0].isCertain ? 1 : one[0].confidence);
  return (
    Number(b[0].isCertain) - Number(a[0].isCertain) ||
    weigh(b) - weigh(a) ||
    b[0].confidence - a[0].confidence ||
    compareTexts(a[0].part, b[0].part) ||
    a[0].photo - b[0].photo ||
    a[0].box.x - b[0].box.x ||
    a[0].box.y - b[0].box.y
  );
}
