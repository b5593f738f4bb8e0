import { clamp } from '../../geometry.ts';
import type { PartMap, SegmentLabel } from '../detection.ts';

/** A point in fractions of the picture's width and height. */
interface Point {
  readonly u: number;
  readonly v: number;
}

/** Inliers that outweigh a different part name in the target photo, if the image is alike. */
const MIN_INLIERS = 60;
const MIN_LIKENESS = 0.85;
/** Inliers that outweigh different part names on the same vehicle side. */
const MIN_INLIERS_ON_SIDE = 40;

/**
 * Returns whether a registered location is on the same part in both photos; a few keypoints cannot distinguish front
 * from rear.
 * @param inliers of the registration
 * @param likeness of both crops, 1 for identical images; computed only if the names do not decide
 */
export function isSamePart(
  sourceMap: PartMap,
  sourcePoint: Point,
  targetMap: PartMap,
  targetPoint: Point,
  { inliers, likeness }: { readonly inliers: number; readonly likeness: () => number },
): boolean {
  const source = labelAt(sourceMap, sourcePoint);
  const target = labelAt(targetMap, targetPoint);
  if (source === target) return true;
  const sideOf = (label: SegmentLabel | undefined) => label?.match(/_(left|right)$/)?.[1];
  if (inliers >= MIN_INLIERS_ON_SIDE && sideOf(source) !== undefined && sideOf(source) === sideOf(target))
    return true;
  return inliers >= MIN_INLIERS && likeness() >= MIN_LIKENESS;
}

function labelAt({ bestLabels, width, height, labels }: PartMap, { u, v }: Point): SegmentLabel | undefined {
  const x = clamp(Math.floor(u * width), 0, width - 1);
  const y = clamp(Math.floor(v * height), 0, height - 1);
  return labels[bestLabels[y * width + x] ?? 0];
}
