import type { Size } from '../geometry.ts';
import type { SegmentLabel } from './detection.ts';
import { findLimit, type Scale } from './measure.ts';
import type { SeenPart } from './part-map.ts';

/**
 * Width over height of panels of a vehicle's side seen straight on: the upper quartile on the parts maps of 178
 * photos, as most views are slanted. What is narrower is photographed at a slant, which shortens lengths along the
 * vehicle and leaves its heights.
 */
const STRAIGHT_ON: Partial<Record<SegmentLabel, number>> = {
  front_door_left: 0.88,
  front_door_right: 0.88,
  rear_door_left: 0.85,
  rear_door_right: 0.85,
  front_fender_left: 1.1,
  front_fender_right: 1.1,
  quarter_panel_left: 1.25,
  quarter_panel_right: 1.25,
};

/** A part this narrow for its height, or narrower, may as well be hidden in part. Assumed. */
const STEEPEST = 0.3;

/**
 * Returns the share of its length along the vehicle that a panel shows at the slant of the photo, 0.3 to 1; 1 where
 * that is unknown, as for a panel that the picture cuts off. Boxes in pixels of the upright photo.
 */
export function findSlant(part: SeenPart | undefined, photo: Size): number {
  if (part === undefined || part.cut || isAtEdge(part, photo)) return 1;
  const straight = STRAIGHT_ON[part.label];
  if (straight === undefined || part.box.height === 0) return 1;
  return Math.min(1, Math.max(STEEPEST, part.box.width / part.box.height / straight));
}

/**
 * A part's box is trimmed: this near to the edge, as a share of the photo's width, it may well run out of the picture.
 */
const EDGE = 0.03;

function isAtEdge({ box }: SeenPart, { width }: Size): boolean {
  return box.x < EDGE * width || box.x + box.width > (1 - EDGE) * width;
}

/**
 * Least half-width of the 80 % interval where one photo cannot determine the slant, as a fraction of a length: of parts
 * that wrap around a corner, of raked glass, and of parts that the parts map does not show. Chosen on the views of the
 * rendered demo vehicle.
 */
const LEAST_ERROR: readonly (readonly [names: RegExp, error: number])[] = [
  [/light/, 0.76],
  [/bumper/, 0.5],
  [/windshield|rear_window/, 0.45],
];
const ERROR_UNSEEN = 0.78;

/** What a steep slant adds to the half-width, per length that the correction adds. Chosen on the same views. */
const ERROR_PER_CORRECTION = 0.3;

/**
 * Returns the scale of a photo at one of its parts: with the part's slant and largest extents, and the interval as wide
 * as that makes it.
 */
export function computeScaleAt(
  scale: Scale,
  label: SegmentLabel,
  part: SeenPart | undefined,
  photo: Size,
): Scale {
  const slant = findSlant(part, photo);
  const least = LEAST_ERROR.find(([names]) => names.test(label))?.[1] ?? 0;
  const unseen = part === undefined ? ERROR_UNSEEN : 0;
  return {
    ...scale,
    ...findLimit(label),
    slant,
    relativeError: Math.max(scale.relativeError, least, unseen) + ERROR_PER_CORRECTION * (1 / slant - 1),
  };
}
