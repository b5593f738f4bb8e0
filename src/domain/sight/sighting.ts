import type { Detection, PartMap, Presence } from './detection.ts';
import type { MeasuredParts } from './part-map.ts';

/** What the models see in one photo. */
export interface Sighting {
  /** Every find that is not all but ruled out; the limits decide later what is listed. */
  readonly detections: readonly Detection[];
  readonly parts: PartMap;
  /** The part map measured, where the models' side did so already. */
  readonly measured?: MeasuredParts | undefined;
  /** What the vehicle check said, where the parts left it open whether there is a vehicle. */
  readonly presence?: Presence | undefined;
}
