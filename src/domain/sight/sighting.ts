import type { Detection, PartMap } from './detection.ts';
import type { MeasuredParts } from './part-map.ts';

/** Confidence that a picture shows a vehicle, and its threshold; 0 to 1. */
export interface Presence {
  readonly score: number;
  readonly limit: number;
}

/** Ratio by which the parts are more certain in a rotated photo, and the ratio from which the photo counts as rotated. */
export interface Rotation {
  readonly gain: number;
  readonly limit: number;
}

/** Model output for one photo. */
export interface Sighting {
  /** All detections that are not practically ruled out; limits are applied later. */
  readonly detections: readonly Detection[];
  readonly parts: PartMap;
  /** Measurements of `parts`. */
  readonly measured: MeasuredParts;
  /** Probability that the photo shows a vehicle; absent if the parts show it clearly, or no model estimates it. */
  readonly presence?: Presence | undefined;
  /** Absent if the parts are certain in the photo as it is, or none are found. */
  readonly rotation?: Rotation | undefined;
}
