import { sumBy } from '../../lib/lists.ts';
import { roundTo } from '../../lib/numbers.ts';
import { area, type Box, clamp, clipBox, type Size } from '../geometry.ts';
import type { SegmentLabel } from './detection.ts';
import type { VisiblePart } from './part-map.ts';
import { findPartSize } from './part-sizes.ts';

/** Centimeters per pixel at one location of a photo, with its derivation. */
export interface Scale {
  readonly cmPerPixel: number;
  /** Object that the scale was derived from, e.g. `wheel`. */
  readonly reference: SegmentLabel | 'assumed_frame';
  /** Half-width of the 80 % interval, as a fraction of a length. */
  readonly relativeError: number;
  /** Foreshortening of horizontal lengths at the part's slant, above 0 to 1; absent: 1. */
  readonly slant?: number;
  /** Upper bound for damage of the part; absent: unknown. */
  readonly max?: { readonly length_cm: number; readonly height_cm: number } | undefined;
}

/** Minimum extent of a reference part, pixels. */
const MIN_EXTENT_PIXELS = 12;
/** Minimum number of reference parts; a scale from a single part was off by 83 % or more in one case of five. */
const MIN_PARTS = 2;
/**
 * Half-width of the 80 % interval, as a fraction of a length, for a scale from two parts and from more. Measured on the
 * 178 photos of part-sizes.json by comparing the length of a door, hood, windshield or front bumper, at the scale of
 * the other parts, with its typical length.
 */
const ERROR_FROM_TWO_PARTS = 0.38;
const ERROR_FROM_MORE_PARTS = 0.31;

/**
 * Estimates the scale of a photo (centimeters per pixel of the upright photo): the median over untruncated parts of
 * known size, weighted by how well such parts usually agree with others. Null if fewer than two are untruncated, or if
 * all are truncated in both directions, as in most close-ups.
 */
export function estimateScale(seen: readonly VisiblePart[]): Scale | null {
  const votes = seen.flatMap(({ label, box, isTruncated, isTruncatedBothWays }) => {
    const { reference } = findPartSize(label);
    if (!reference || isTruncated || box[reference.axis] < MIN_EXTENT_PIXELS) return [];
    const cmPerPixel = reference.cm / box[reference.axis];
    return [{ label, cmPerPixel, weight: 1 / reference.spread ** 2, isWhole: !isTruncatedBothWays }];
  });
  // Boxes are trimmed, so a part that fills a close-up may seem to end inside it; the scale would be several
  // times too large.
  if (!votes.some(({ isWhole }) => isWhole)) return null;
  const [mostReliable] = [...votes].sort((a, b) => b.weight - a.weight);
  if (mostReliable === undefined || votes.length < MIN_PARTS) return null;
  return {
    cmPerPixel: computeWeightedMedian(votes),
    reference: mostReliable.label,
    relativeError: votes.length === MIN_PARTS ? ERROR_FROM_TWO_PARTS : ERROR_FROM_MORE_PARTS,
  };
}

function computeWeightedMedian(
  votes: readonly { readonly cmPerPixel: number; readonly weight: number }[],
): number {
  const sorted = [...votes].sort((a, b) => a.cmPerPixel - b.cmPerPixel);
  const halfWeight = sumBy(sorted, ({ weight }) => weight) / 2;
  let sum = 0;
  for (const { weight, cmPerPixel } of sorted) {
    sum += weight;
    if (sum >= halfWeight) return cmPerPixel;
  }
  throw new Error('no votes for a median');
}

const UNBOUNDED = { length_cm: Number.POSITIVE_INFINITY, height_cm: Number.POSITIVE_INFINITY };

/**
 * Returns false if a scale makes the visible part longer than on any car, as in a close-up where parts hidden behind
 * others were taken as whole.
 */
export function isCredible({ cmPerPixel }: Scale, part: VisiblePart | undefined): boolean {
  if (part === undefined) return true;
  const { length_cm: longest } = findPartSize(part.label).max ?? UNBOUNDED;
  return Math.max(part.box.width, part.box.height) * cmPerPixel <= longest;
}

/** Vehicle share from which one panel fills the photo; less shows about half a car. Assumed, like both values below. */
const MIN_CLOSE_UP_SHARE = 0.85;
/** Length of vehicle along the long side of a photo without a reference part, centimeters. */
const FRAME_CM = { closeUp: 90, other: 225 } as const;
/** Half-width of the 80 % interval, as a fraction of a length. */
const ERROR_OF_ASSUMED_SCALE = 0.6;

/** Returns a rough scale, used only for grading, when `estimateScale` finds none. */
export function assumeScale(photo: Size, vehicleShare: number): Scale {
  const frameCm = vehicleShare > MIN_CLOSE_UP_SHARE ? FRAME_CM.closeUp : FRAME_CM.other;
  return {
    cmPerPixel: frameCm / Math.max(photo.width, photo.height),
    reference: 'assumed_frame',
    relativeError: ERROR_OF_ASSUMED_SCALE,
  };
}

/**
 * Returns the longest and shortest extent of a damage, centimeters, one decimal, corrected for slant and capped at the
 * part's maximum extents.
 */
export function computeSize(
  box: Box,
  { cmPerPixel, slant = 1, max = UNBOUNDED }: Scale,
): { longSideCm: number; shortSideCm: number } {
  const width = Math.min((box.width * cmPerPixel) / slant, max.length_cm);
  const height = Math.min(box.height * cmPerPixel, max.height_cm);
  return {
    longSideCm: roundTo(Math.max(width, height), 1),
    shortSideCm: roundTo(Math.min(width, height), 1),
  };
}

/** Clips a damage's box to the visible part, because damage cannot exceed it. */
export function clipToPart(box: Box, part: VisiblePart | undefined): Box {
  const clipped = part && clipBox(box, part.box);
  return clipped && area(clipped) > 0 ? clipped : box;
}

/** Minimum credible aspect ratio, relative to straight on; a narrower part may be partly hidden. Assumed. */
const MIN_SLANT = 0.3;

/**
 * Returns the foreshortening of a panel's length along the vehicle, 0.3 to 1; 1 if unknown, as for a truncated panel.
 * Boxes in pixels of the upright photo.
 */
export function findSlant(part: VisiblePart | undefined, photo: Size): number {
  if (part === undefined || part.isTruncated || isAtEdge(part, photo)) return 1;
  const { aspect_ratio: straightRatio } = findPartSize(part.label);
  if (straightRatio === undefined || part.box.height === 0) return 1;
  return clamp(part.box.width / part.box.height / straightRatio, MIN_SLANT, 1);
}

/** Distance to the photo's edge, as a share of its width, within which trimming may hide a truncation. */
const EDGE_MARGIN_SHARE = 0.03;

function isAtEdge({ box }: VisiblePart, { width }: Size): boolean {
  return box.x < EDGE_MARGIN_SHARE * width || box.x + box.width > (1 - EDGE_MARGIN_SHARE) * width;
}

// Both chosen on the views of the rendered demo vehicle, as the errors of part-sizes.json.
/** Half-width of the 80 % interval, as a fraction of a length, at a part that the map does not show. */
const ERROR_OF_UNSEEN_PART = 0.78;

/** Increase of the half-width at a steep slant, per length added by the correction. */
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
  const { max, min_error: minError = 0 } = findPartSize(label);
  const partError = part === undefined ? ERROR_OF_UNSEEN_PART : 0;
  return {
    ...scale,
    max,
    slant,
    relativeError: Math.max(scale.relativeError, minError, partError) + ERROR_PER_SLANT * (1 / slant - 1),
  };
}
