import type { SegmentLabel } from './detection.ts';
import file from './part-sizes.json' with { type: 'json' };
import { dropSide, type SegmentName } from './segments.ts';

/** Dimensions of a part on passenger cars, viewed straight on; sources: part-sizes.json. */
interface PartSize {
  /** Typical extent along one axis, from which the scale of a photo follows, and how much it varies (log ratio). */
  readonly reference?: { readonly axis: 'width' | 'height'; readonly cm: number; readonly spread: number };
  /** Maximum extents on any passenger car. */
  readonly max?: { readonly length_cm: number; readonly height_cm: number };
  /** Width over height of a side panel; a narrower one is seen at a slant, which shortens lengths but not heights. */
  readonly aspect_ratio?: number;
  /**
   * Minimum half-width of the 80 % interval, as a fraction of a length, where one photo cannot determine the slant:
   * parts that wrap around a corner, and raked glass.
   */
  readonly min_error?: number;
  readonly area_m2?: number;
}

const SIZES = file.parts as Readonly<Partial<Record<SegmentName, PartSize>>>;

/** Returns what is known of the dimensions of a segment's part; empty for the background. */
export const findPartSize = (label: SegmentLabel): PartSize => SIZES[dropSide(label)] ?? {};
