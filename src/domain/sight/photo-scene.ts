import { type Size, scaleBox } from '../geometry.ts';
import type { VehicleSide } from '../parts.ts';
import type { Angle } from '../photo.ts';
import type { PartMap } from './detection.ts';
import { type MeasuredParts, measurePartMap, type VisiblePart } from './part-map.ts';
import { findVisibleSide } from './view-angle.ts';

/** Photo context for locating detections. */
export interface PhotoScene extends Omit<MeasuredParts, 'visibleParts'> {
  readonly visibleParts: readonly VisiblePart[];
  readonly size: Size;
  readonly parts: PartMap;
  /** Vehicle side shown: from the angle, else from the parts. */
  readonly side: VehicleSide | null;
  readonly angle: Angle | null;
}

/** Creates the context shared by all detections of one photo; `measured`: its part map, if already measured. */
export function createScene(
  parts: PartMap,
  size: Size,
  angle: Angle | null,
  measured: MeasuredParts = measurePartMap(parts),
): PhotoScene {
  return {
    ...measured,
    size,
    parts,
    angle,
    visibleParts: measured.visibleParts.map(({ relativeBox, ...part }) => ({
      ...part,
      box: scaleBox(relativeBox, size),
    })),
    side: readSideOfAngle(angle) ?? findVisibleSide(measured.mass),
  };
}

function readSideOfAngle(angle: Angle | null): VehicleSide | null {
  if (angle?.includes('left')) return 'left';
  return angle?.includes('right') ? 'right' : null;
}
