import { clamp } from '../../geometry.ts';
import type { PartMap, SegmentLabel } from '../detection.ts';

/** A point of a picture, shares of its width and height. */
interface Point {
  readonly u: number;
  readonly v: number;
}

/** So many agreeing points make up for a part that is called by another name in the other photo, where the picture is alike. */
const MANY_INLIERS = 60;
const ALIKE = 0.85;
/** So many make up for it where both names are of one side of the vehicle. */
const MANY_INLIERS_ON_SIDE = 40;

/**
 * Returns whether a place that was found in another photo is on the same part in both: front and rear of a vehicle look alike
 * to a few points.
 * @param inliers points that agree on where the place is
 * @param likeness of both cuts, 1 for the same picture; measured only where the names do not decide
 */
export function isSamePart(
  here: PartMap,
  at: Point,
  there: PartMap,
  foundAt: Point,
  { inliers, likeness }: { readonly inliers: number; readonly likeness: () => number },
): boolean {
  const own = labelAt(here, at);
  const other = labelAt(there, foundAt);
  if (own === other) return true;
  const side = (label: SegmentLabel | undefined) => label?.match(/_(left|right)$/)?.[1];
  if (inliers >= MANY_INLIERS_ON_SIDE && side(own) !== undefined && side(own) === side(other)) return true;
  return inliers >= MANY_INLIERS && likeness() >= ALIKE;
}

function labelAt({ best, width, height, labels }: PartMap, { u, v }: Point): SegmentLabel | undefined {
  const x = clamp(Math.floor(u * width), 0, width - 1);
  const y = clamp(Math.floor(v * height), 0, height - 1);
  return labels[best[y * width + x] ?? 0];
}
