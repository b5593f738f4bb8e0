import { roundTo } from '../../lib/numbers.ts';
import type { Box, Size } from '../geometry.ts';
import { LAMP_NAMES } from '../parts.ts';
import type { SegmentLabel } from './detection.ts';
import type { VisiblePart } from './part-map.ts';
import { dropSide, type SegmentName } from './segments.ts';

/** Centimeters per pixel at one location of a photo, with its derivation. */
export interface Scale {
  readonly cmPerPixel: number;
  /** Object that the scale was derived from, e.g. `wheel`. */
  readonly reference: SegmentLabel | 'assumed_frame';
  /** Half-width of the 80 % interval, as a fraction of a length. */
  readonly relativeError: number;
  /** Foreshortening of horizontal lengths at the part's slant, above 0 to 1; absent: 1. */
  readonly slant?: number;
  /** Upper bound for damage of the part, centimeters; absent: unknown. */
  readonly limit?: PartLimit;
}

/** Maximum extents of a part on any passenger car, centimeters. */
export interface PartLimit {
  readonly maxLengthCm: number;
  readonly maxHeightCm: number;
}

/**
 * Typical apparent extents of passenger-car parts, centimeters, along the axis least foreshortened in side, front and
 * rear photos. `spread` is half of the middle 80 % of the log ratio between the part's scale and the median scale of
 * the photo. Lengths are assumed from common dimensions (wheel with arch gap 68–74 cm, door 110–115 cm) and corrected
 * by the median of that log ratio, both measured on the part maps of 178 photos.
 */
export const REFERENCE_CM: Partial<
  Record<SegmentName, { axis: 'width' | 'height'; cm: number; spread: number }>
> = {
  front_door: { axis: 'height', cm: 104, spread: 0.18 },
  rear_door: { axis: 'height', cm: 107, spread: 0.22 },
  windshield: { axis: 'width', cm: 103, spread: 0.17 },
  hood: { axis: 'width', cm: 145, spread: 0.18 },
  front_bumper: { axis: 'height', cm: 65, spread: 0.24 },
  front_fender: { axis: 'height', cm: 73, spread: 0.3 },
  headlight: { axis: 'height', cm: 28, spread: 0.38 },
  rear_bumper: { axis: 'height', cm: 63, spread: 0.4 },
  wheel: { axis: 'height', cm: 67, spread: 0.43 },
  taillight: { axis: 'height', cm: 35, spread: 0.47 },
  quarter_panel: { axis: 'height', cm: 95, spread: 0.5 },
  trunk_lid: { axis: 'width', cm: 120, spread: 0.52 },
  rear_window: { axis: 'width', cm: 120, spread: 0.6 },
};

/** Minimum extent of a reference part, pixels. */
const MIN_EXTENT_PIXELS = 12;
/** Minimum number of reference parts; a scale from a single part was off by 83 % or more in one case of five. */
const MIN_PARTS = 2;
/**
 * Half-width of the 80 % interval, as a fraction of a length, for a scale from two parts and from more. Measured on the
 * same photos by comparing the length of a door, hood, windshield or front bumper, at the scale of the other parts,
 * with its typical length.
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
    const reference = REFERENCE_CM[dropSide(label)];
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
  const halfWeight = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let sum = 0;
  for (const vote of sorted) {
    sum += vote.weight;
    if (sum >= halfWeight) return vote.cmPerPixel;
  }
  return 0;
}

/**
 * Maximum length and height of parts on any passenger car, centimeters; includes the diagonal of slanted parts and the
 * depth visible from above. Assumed.
 */
const MAX_PART_CM: readonly (readonly [names: RegExp, longest: number, tallest: number])[] = [
  [/mirror/, 45, 45],
  [LAMP_NAMES, 90, 60],
  [/wheel/, 90, 90],
  [/front_door|rear_door/, 150, 150],
  [/fender/, 150, 110],
  [/quarter|windshield|rear_window/, 170, 150],
  [/hood|trunk/, 180, 150],
  [/bumper/, 220, 90],
  [/rocker/, 260, 40],
  [/roof/, 260, 260],
];

/** Returns the maximum extents of a part; empty if the label has none. */
export function findPartLimit(label: SegmentLabel): { readonly limit?: PartLimit } {
  const limit = MAX_PART_CM.find(([names]) => names.test(label));
  return limit ? { limit: { maxLengthCm: limit[1], maxHeightCm: limit[2] } } : {};
}

/**
 * Returns false if a scale makes the visible part longer than on any car, as in a close-up where parts hidden behind
 * others were taken as whole.
 */
export function isCredible({ cmPerPixel }: Scale, part: VisiblePart | undefined): boolean {
  if (part === undefined) return true;
  const maxLengthCm = findPartLimit(part.label).limit?.maxLengthCm ?? Number.POSITIVE_INFINITY;
  return Math.max(part.box.width, part.box.height) * cmPerPixel <= maxLengthCm;
}

/** Assumed length of vehicle along the long side of a close-up without a reference part, centimeters. */
const CLOSE_UP_FRAME_CM = 90;

/** Returns a rough scale, used only for grading, when `estimateScale` finds none. */
export function assumeScale(photo: Size, vehicleShare: number): Scale {
  // A photo with much background shows about half a car; a photo filled by one panel shows about 0.9 m.
  const frameCm = vehicleShare > 0.85 || vehicleShare < 0.05 ? CLOSE_UP_FRAME_CM : CLOSE_UP_FRAME_CM * 2.5;
  return {
    cmPerPixel: frameCm / Math.max(photo.width, photo.height),
    reference: 'assumed_frame',
    relativeError: 0.6,
  };
}

const NO_LIMIT: PartLimit = { maxLengthCm: Number.POSITIVE_INFINITY, maxHeightCm: Number.POSITIVE_INFINITY };

/**
 * Returns the longest and shortest extent of a damage, centimeters, one decimal, corrected for slant and capped at the
 * part's maximum extents.
 */
export function computeSize(
  box: Box,
  { cmPerPixel, slant = 1, limit = NO_LIMIT }: Scale,
): { longSideCm: number; shortSideCm: number } {
  const width = Math.min((box.width * cmPerPixel) / slant, limit.maxLengthCm);
  const height = Math.min(box.height * cmPerPixel, limit.maxHeightCm);
  return {
    longSideCm: roundTo(Math.max(width, height), 1),
    shortSideCm: roundTo(Math.min(width, height), 1),
  };
}

/** Clips a damage's box to the visible part, because damage cannot exceed it. */
export function clipToPart(box: Box, part: VisiblePart | undefined): Box {
  if (part === undefined) return box;
  const x = Math.max(box.x, part.box.x);
  const y = Math.max(box.y, part.box.y);
  const width = Math.min(box.x + box.width, part.box.x + part.box.width) - x;
  const height = Math.min(box.y + box.height, part.box.y + part.box.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : box;
}
