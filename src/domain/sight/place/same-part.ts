import { clamp } from '../../geometry.ts';
import type { PartMap, SegmentLabel } from '../detection.ts';

/** A point in fractions of the picture's width and height. */
interface Point {
  readonly u: number;
  readonly v: number;
}

/** Inliers that outweigh a different part name in the other photo, if the image is alike. */
const MANY_INLIERS = 60;
const ALIKE = 0.85;
/** Inliers that outweigh different part names on the same vehicle side. */
const MANY_INLIERS_ON_SIDE = 40;

/**
 * Returns whether a registered location is on the same part in both photos; a few keypoints cannot distinguish front
 * from rear.
 * @param inliers of the registration
 * @param likeness of both crops, 1 for identical images; computed only if the names do not decide
 */
export function isSamePart(
  ownMap: PartMap,
  at: Point,
  otherMap: PartMap,
  foundAt: Point,
  { inliers, likeness }: { readonly inliers: number; readonly likeness: () => number },
): boolean {
  const own = labelAt(ownMap, at);
  const other = labelAt(otherMap, foundAt);
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
