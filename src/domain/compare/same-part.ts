import { clamp } from '../geometry.ts';
import { splitSide } from '../parts.ts';
import type { PartMap, SegmentLabel } from '../sight/detection.ts';

/** A point of a photo, in fractions of width and height, with the photo's part map. */
interface MappedPoint {
  readonly map: PartMap;
  readonly point: { readonly u: number; readonly v: number };
}

/** Inliers that outweigh a different part name in the target photo if the crops are alike. */
const MIN_INLIERS = 60;
const MIN_LIKENESS = 0.85;
/** Inliers that outweigh different part names on the same vehicle side. */
const MIN_INLIERS_ON_SIDE = 40;

/**
 * Returns whether a registered place is on the same part in both photos; a few keypoints cannot distinguish front
 * from rear. Equal labels, also those of two close-ups without a recognized part, do not contradict the registration.
 * @param registration its inliers, and the likeness of both crops, 1 for identical images
 */
export function isSamePart(
  from: MappedPoint,
  to: MappedPoint,
  { inliers, likeness }: { readonly inliers: number; readonly likeness: number },
): boolean {
  const [source, target] = [labelAt(from), labelAt(to)];
  if (source === target) return true;
  const sideOf = (label: SegmentLabel | undefined) => label && splitSide(label).side;
  const isOneSide = sideOf(source) !== undefined && sideOf(source) === sideOf(target);
  return (
    (isOneSide && inliers >= MIN_INLIERS_ON_SIDE) || (inliers >= MIN_INLIERS && likeness >= MIN_LIKENESS)
  );
}

function labelAt({ map, point: { u, v } }: MappedPoint): SegmentLabel | undefined {
  const { bestLabels, width, height, labels } = map;
  const x = clamp(Math.floor(u * width), 0, width - 1);
  const y = clamp(Math.floor(v * height), 0, height - 1);
  return labels[bestLabels[y * width + x] ?? 0];
}
