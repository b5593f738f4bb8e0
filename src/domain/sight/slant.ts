import type { Size } from '../geometry.ts';
import { LAMP_NAMES } from '../parts.ts';
import type { SegmentLabel } from './detection.ts';
import { findPartLimit, type Scale } from './measure.ts';
import type { VisiblePart } from './part-map.ts';
import { dropSide, type SegmentName } from './segments.ts';

/**
 * Aspect ratio of side panels viewed straight on: the upper quartile on the part maps of 178 photos, because most views
 * are slanted. A narrower panel is seen at a slant, which shortens horizontal lengths but not heights.
 */
const STRAIGHT_ON_ASPECT_RATIO: Partial<Record<SegmentName, number>> = {
  front_door: 0.88,
  rear_door: 0.85,
  front_fender: 1.1,
  quarter_panel: 1.25,
};

/** Minimum credible aspect ratio, relative to straight on; a narrower part may be partly hidden. Assumed. */
const MIN_SLANT = 0.3;

/**
 * Returns the foreshortening of a panel's length along the vehicle, 0.3 to 1; 1 if unknown, as for a truncated panel.
 * Boxes in pixels of the upright photo.
 */
export function findSlant(part: VisiblePart | undefined, photo: Size): number {
  if (part === undefined || part.isTruncated || isAtEdge(part, photo)) return 1;
  const straightRatio = STRAIGHT_ON_ASPECT_RATIO[dropSide(part.label)];
  if (straightRatio === undefined || part.box.height === 0) return 1;
  return Math.min(1, Math.max(MIN_SLANT, part.box.width / part.box.height / straightRatio));
}

/**
 * Distance to the photo's edge, as a share of its width, within which a part may be truncated, because boxes are
 * trimmed.
 */
const EDGE_MARGIN_SHARE = 0.03;

function isAtEdge({ box }: VisiblePart, { width }: Size): boolean {
  return box.x < EDGE_MARGIN_SHARE * width || box.x + box.width > (1 - EDGE_MARGIN_SHARE) * width;
}

/**
 * Minimum half-width of the 80 % interval, as a fraction of a length, where one photo cannot determine the slant: parts
 * that wrap around a corner, raked glass, and parts missing from the part map. Chosen on the views of the rendered demo
 * vehicle.
 */
const MIN_ERROR: readonly (readonly [names: RegExp, error: number])[] = [
  [LAMP_NAMES, 0.76],
  [/bumper/, 0.5],
  [/windshield|rear_window/, 0.45],
];
const ERROR_OF_UNSEEN_PART = 0.78;

/** Increase of the half-width at a steep slant, per length added by the correction. Chosen on the same views. */
const ERROR_PER_SLANT = 0.3;

/**
 * Returns the scale of a photo at one of its parts, with the part's slant and maximum extents and a correspondingly
 * wider interval.
 */
export function computeScaleAt(
  scale: Scale,
  label: SegmentLabel,
  part: VisiblePart | undefined,
  photo: Size,
): Scale {
  const slant = findSlant(part, photo);
  const minError = MIN_ERROR.find(([names]) => names.test(label))?.[1] ?? 0;
  const partError = part === undefined ? ERROR_OF_UNSEEN_PART : 0;
  return {
    ...scale,
    ...findPartLimit(label),
    slant,
    relativeError: Math.max(scale.relativeError, minError, partError) + ERROR_PER_SLANT * (1 / slant - 1),
  };
}
