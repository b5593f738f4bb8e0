import type { Detection, PartMap, Presence } from './detection.ts';
import type { MeasuredParts } from './part-map.ts';

/** Model output for one photo. */
export interface Sighting {
  /** All detections that are not practically ruled out; limits are applied later. */
  readonly detections: readonly Detection[];
  readonly parts: PartMap;
  /** Measured part map, if the models' side computed it. */
  readonly measured?: MeasuredParts | undefined;
  /** Result of the vehicle classifier, if the parts left the presence of a vehicle open. */
  readonly presence?: Presence | undefined;
}
