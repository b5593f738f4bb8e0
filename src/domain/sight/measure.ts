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
}

/**
 * Typical extents of parts of a passenger car, centimetres; the axis is the one that a side, front or rear photo
 * foreshortens least. Source: assumed from common vehicle dimensions (wheelbase 2.6–2.8 m, width 1.75–1.85 m,
 * wheel with arch gap 68–74 cm); `spread` is the relative spread over body styles, to which the error of the
 * photo's perspective is added.
 */
const REFERENCE_CM: Partial<Record<SegmentLabel, { axis: 'width' | 'height'; cm: number; spread: number }>> =
  {
    wheel: { axis: 'height', cm: 70, spread: 0.08 },
    front_door_left: { axis: 'height', cm: 115, spread: 0.12 },
    front_door_right: { axis: 'height', cm: 115, spread: 0.12 },
    rear_door_left: { axis: 'height', cm: 112, spread: 0.12 },
    rear_door_right: { axis: 'height', cm: 112, spread: 0.12 },
    front_bumper: { axis: 'height', cm: 58, spread: 0.2 },
    rear_bumper: { axis: 'height', cm: 58, spread: 0.2 },
    front_fender_left: { axis: 'height', cm: 68, spread: 0.22 },
    front_fender_right: { axis: 'height', cm: 68, spread: 0.22 },
    quarter_panel_left: { axis: 'height', cm: 95, spread: 0.25 },
    quarter_panel_right: { axis: 'height', cm: 95, spread: 0.25 },
    windshield: { axis: 'width', cm: 135, spread: 0.15 },
    rear_window: { axis: 'width', cm: 120, spread: 0.15 },
    hood: { axis: 'width', cm: 145, spread: 0.15 },
    trunk_lid: { axis: 'width', cm: 120, spread: 0.18 },
    headlight_left: { axis: 'height', cm: 22, spread: 0.3 },
    headlight_right: { axis: 'height', cm: 22, spread: 0.3 },
    taillight_left: { axis: 'height', cm: 28, spread: 0.35 },
    taillight_right: { axis: 'height', cm: 28, spread: 0.35 },
  };

const PERSPECTIVE_ERROR = 0.15;

/** A close-up with no reference is taken to show about this much of the vehicle across its long side. Assumed. */
const CLOSE_UP_FRAME_CM = 90;

/**
 * The scale at a damage: from the whole part it is on, else from the least uncertain whole part in the photo; null
 * where nothing of known size is whole in the picture.
 */
export function scaleAt(segment: SegmentLabel | null, seen: readonly SeenPart[]): Scale | null {
  let best: Scale | null = null;
  for (const part of seen) {
    const reference = REFERENCE_CM[part.label];
    if (!reference || part.cut) continue;
    const pixels = part.box[reference.axis];
    if (pixels < 12) continue;
    // Another part may stand nearer to or farther from the camera than the damaged one.
    const elsewhere = part.label === segment ? 0 : 0.1;
    const relativeError = reference.spread + PERSPECTIVE_ERROR + elsewhere;
    if (!best || relativeError < best.relativeError) {
      best = { cmPerPixel: reference.cm / pixels, reference: part.label, relativeError };
    }
  }
  return best;
}

/** The rough scale used for grading alone where `scaleAt` finds none: a close-up of one panel. */
export function assumedScale(photo: Size, vehicleShare: number): Scale {
  // A photo with much background shows the whole car, about 4.4 m; one filled by a panel shows about 0.9 m.
  const frameCm = vehicleShare > 0.85 || vehicleShare < 0.05 ? CLOSE_UP_FRAME_CM : CLOSE_UP_FRAME_CM * 2.5;
  return {
    cmPerPixel: frameCm / Math.max(photo.width, photo.height),
    reference: 'assumed_frame',
    relativeError: 0.6,
  };
}

/** Length along the box's diagonal and extent across, centimetres, one decimal. */
export function sizeOf(box: Box, scale: Scale): { lengthCm: number; widthCm: number; longSideCm: number } {
  const long = Math.max(box.width, box.height) * scale.cmPerPixel;
  const short = Math.min(box.width, box.height) * scale.cmPerPixel;
  return {
    lengthCm: oneDecimal(Math.hypot(long, short)),
    widthCm: oneDecimal(short),
    longSideCm: oneDecimal(long),
  };
}

export function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}
