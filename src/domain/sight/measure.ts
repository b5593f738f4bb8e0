import { roundTo } from '../../lib/round.ts';
import type { Box, Size } from '../geometry.ts';
import type { SegmentLabel } from './detection.ts';
import type { SeenPart } from './part-map.ts';

/** Centimetres per pixel at one place of a photo, with how it was found. */
export interface Scale {
  readonly cmPerPixel: number;
  /** What the scale was read from, e.g. `wheel`. */
  readonly reference: SegmentLabel | 'assumed_frame';
  /** Half-width of the 80 % interval, as a fraction of a length. */
  readonly relativeError: number;
  /** Share of a length across the photo that shows at the part's slant, above 0 to 1; absent: 1. */
  readonly slant?: number;
  /** No damage of the part is longer or taller than the part, centimetres; absent: unknown. */
  readonly most?: PartLimit;
}

/** The largest extents of a part on any passenger car, centimetres. */
export interface PartLimit {
  readonly longest: number;
  readonly tallest: number;
}

/**
 * Typical extents of parts of a passenger car as they show in photos, centimetres; the axis is the one that a side,
 * front or rear photo foreshortens least. `spread` is half of the middle 80 % of the logarithm of what the part says
 * against the middle of all parts of a photo. Lengths assumed from common dimensions (wheel with arch gap 68–74 cm,
 * door 110–115 cm), corrected by the middle of that logarithm; both measured on the parts maps of 178 photos.
 */
export const REFERENCE_CM: Partial<
  Record<SegmentLabel, { axis: 'width' | 'height'; cm: number; spread: number }>
> = {
  front_door_left: { axis: 'height', cm: 104, spread: 0.18 },
  front_door_right: { axis: 'height', cm: 104, spread: 0.18 },
  rear_door_left: { axis: 'height', cm: 107, spread: 0.22 },
  rear_door_right: { axis: 'height', cm: 107, spread: 0.22 },
  windshield: { axis: 'width', cm: 103, spread: 0.17 },
  hood: { axis: 'width', cm: 145, spread: 0.18 },
  front_bumper: { axis: 'height', cm: 65, spread: 0.24 },
  front_fender_left: { axis: 'height', cm: 73, spread: 0.3 },
  front_fender_right: { axis: 'height', cm: 73, spread: 0.3 },
  headlight_left: { axis: 'height', cm: 28, spread: 0.38 },
  headlight_right: { axis: 'height', cm: 28, spread: 0.38 },
  rear_bumper: { axis: 'height', cm: 63, spread: 0.4 },
  wheel: { axis: 'height', cm: 67, spread: 0.43 },
  taillight_left: { axis: 'height', cm: 35, spread: 0.47 },
  taillight_right: { axis: 'height', cm: 35, spread: 0.47 },
  quarter_panel_left: { axis: 'height', cm: 95, spread: 0.5 },
  quarter_panel_right: { axis: 'height', cm: 95, spread: 0.5 },
  trunk_lid: { axis: 'width', cm: 120, spread: 0.52 },
  rear_window: { axis: 'width', cm: 120, spread: 0.6 },
};

/** A part this small in the photo says little, pixels. */
const LEAST_PIXELS = 12;
/** One part alone gives no scale: what it says was off by 83 % and more in one case of five. */
const LEAST_PARTS = 2;
/**
 * Half-width of the 80 % interval, as a fraction of a length, of a scale by two parts and by more. Measured on the same
 * photos: what the others say of the length of a door, hood, windshield or front bumper against its typical length.
 */
const ERROR_OF_TWO = 0.38;
const ERROR_OF_MORE = 0.31;

/**
 * Returns the scale of a photo (centimetres per pixel of the upright photo): the median of what its whole parts of
 * known size state, each weighed by how far such parts agree with others; null where fewer than two are whole in the
 * picture, or all of them run out of it both ways, as in most close-ups.
 */
export function estimateScale(seen: readonly SeenPart[]): Scale | null {
  const votes = seen.flatMap((part) => {
    const reference = REFERENCE_CM[part.label];
    if (!reference || part.cut || part.box[reference.axis] < LEAST_PIXELS) return [];
    const cmPerPixel = reference.cm / part.box[reference.axis];
    const whole = part.cutBothWays !== true;
    return [{ label: part.label, cmPerPixel, weight: 1 / reference.spread ** 2, whole }];
  });
  // Boxes are trimmed, so what fills a close-up may seem to end within it: its scale would be several times too large.
  if (!votes.some(({ whole }) => whole)) return null;
  const [surest] = [...votes].sort((a, b) => b.weight - a.weight);
  if (surest === undefined || votes.length < LEAST_PARTS) return null;
  return {
    cmPerPixel: computeWeightedMedian(votes),
    reference: surest.label,
    relativeError: votes.length === LEAST_PARTS ? ERROR_OF_TWO : ERROR_OF_MORE,
  };
}

function computeWeightedMedian(
  votes: readonly { readonly cmPerPixel: number; readonly weight: number }[],
): number {
  const sorted = [...votes].sort((a, b) => a.cmPerPixel - b.cmPerPixel);
  const half = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let sum = 0;
  for (const vote of sorted) {
    sum += vote.weight;
    if (sum >= half) return vote.cmPerPixel;
  }
  return 0;
}

/**
 * No passenger car has a longer or a taller one, centimetres; over the diagonal where a part is seen slanted, and with
 * what a photo from above shows of its depth. Assumed.
 */
const LARGEST_CM: readonly (readonly [names: RegExp, longest: number, tallest: number])[] = [
  [/mirror/, 45, 45],
  [/light/, 90, 60],
  [/wheel/, 90, 90],
  [/front_door|rear_door/, 150, 150],
  [/fender/, 150, 110],
  [/quarter|windshield|rear_window/, 170, 150],
  [/hood|trunk/, 180, 150],
  [/bumper/, 220, 90],
  [/rocker/, 260, 40],
  [/roof/, 260, 260],
];

/** Returns the largest extents that a part can have; absent for what is none. */
export function findLimit(label: SegmentLabel): { readonly most?: PartLimit } {
  const limit = LARGEST_CM.find(([names]) => names.test(label));
  return limit ? { most: { longest: limit[1], tallest: limit[2] } } : {};
}

/**
 * Returns false where a scale would make the visible part longer than any car has it: parts that are cut off by others
 * in a close-up were treated as whole ones.
 */
export function isCredible({ cmPerPixel }: Scale, part: SeenPart | undefined): boolean {
  if (part === undefined) return true;
  const longest = findLimit(part.label).most?.longest ?? Number.POSITIVE_INFINITY;
  return Math.max(part.box.width, part.box.height) * cmPerPixel <= longest;
}

/** Length of the vehicle that a close-up with no reference is taken to show across its long side. Assumed. */
const CLOSE_UP_FRAME_CM = 90;

/** Returns the rough scale used for grading alone where `estimateScale` finds none: a close-up of one panel. */
export function assumeScale(photo: Size, vehicleShare: number): Scale {
  // A photo with much background shows the whole car, about 4.4 m; one filled by a panel shows about 0.9 m.
  const frameCm = vehicleShare > 0.85 || vehicleShare < 0.05 ? CLOSE_UP_FRAME_CM : CLOSE_UP_FRAME_CM * 2.5;
  return {
    cmPerPixel: frameCm / Math.max(photo.width, photo.height),
    reference: 'assumed_frame',
    relativeError: 0.6,
  };
}

const NO_LIMIT: PartLimit = { longest: Number.POSITIVE_INFINITY, tallest: Number.POSITIVE_INFINITY };

/**
 * Returns the longest and shortest extent of a damage, centimetres, one decimal; what a slant shortens is corrected, and
 * no more than the largest such part has.
 */
export function computeSize(
  box: Box,
  { cmPerPixel, slant = 1, most = NO_LIMIT }: Scale,
): { longSideCm: number; shortSideCm: number } {
  const width = Math.min((box.width * cmPerPixel) / slant, most.longest);
  const height = Math.min(box.height * cmPerPixel, most.tallest);
  return {
    longSideCm: roundTo(Math.max(width, height), 1),
    shortSideCm: roundTo(Math.min(width, height), 1),
  };
}

/**
 * Returns how much of a damage's box lies on the visible part: no damage of a part is larger than what is seen of it.
 */
export function clipToPart(box: Box, part: SeenPart | undefined): Box {
  if (part === undefined) return box;
  const x = Math.max(box.x, part.box.x);
  const y = Math.max(box.y, part.box.y);
  const width = Math.min(box.x + box.width, part.box.x + part.box.width) - x;
  const height = Math.min(box.y + box.height, part.box.y + part.box.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : box;
}
