import { area, type Box, intersection, iou } from '../../domain/geometry.ts';

/** IoU from which two boxes are about one place, */
const SAME_PLACE = 0.3;
/** and share of the smaller box that lies inside the other. */
const MOSTLY_INSIDE = 0.7;

/** Returns whether two boxes of one frame are about the same place: they overlap, or one lies mostly inside the other. */
export function isSamePlace(one: Box, other: Box): boolean {
  const inside = intersection(one, other) / Math.min(area(one), area(other));
  return inside > MOSTLY_INSIDE || iou(one, other) > SAME_PLACE;
}
