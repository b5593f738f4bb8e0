import { splitSide } from '../parts.ts';
import type { SegmentLabel } from './detection.ts';

type DropSide<L> = L extends `${infer Name}_left` | `${infer Name}_right` ? Name : L;
/** Name of a segment without its side, for facts that are the same on the left and on the right. */
export type SegmentName = DropSide<SegmentLabel>;
export const dropSide = (label: SegmentLabel) => splitSide(label).base as SegmentName;

/** Segments of the parts model that are separate panes; side panes belong to the door's mask. */
export const GLASS: ReadonlySet<SegmentLabel> = new Set(['windshield', 'rear_window']);

export const LAMPS: ReadonlySet<SegmentLabel> = new Set([
  'headlight_left',
  'headlight_right',
  'taillight_left',
  'taillight_right',
]);

/** Segments that only the front of a vehicle shows. */
export const FRONT: readonly SegmentLabel[] = [
  'front_bumper',
  'hood',
  'windshield',
  'headlight_left',
  'headlight_right',
];
/** Segments that only the rear of a vehicle shows. */
export const REAR: readonly SegmentLabel[] = [
  'rear_bumper',
  'trunk_lid',
  'rear_window',
  'taillight_left',
  'taillight_right',
];
