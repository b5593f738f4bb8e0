import type { Size } from '../geometry.ts';
import type { Angle } from '../photo.ts';
import type { PartMap } from './detection.ts';
import {
  type LabelMass,
  type MeasuredParts,
  measurePartMap,
  scaleToPixels,
  type VisiblePart,
} from './part-map.ts';
import { findVisibleSide, type VehicleSide } from './view-angle.ts';

/** Photo context for locating detections. */
export interface PhotoScene {
  readonly size: Size;
  readonly parts: PartMap;
  readonly visibleParts: readonly VisiblePart[];
  readonly mass: LabelMass;
  /** Mean certainty of the parts, 0 to 1. */
  readonly certainty: number;
  /** Vehicle side shown: from the stated angle, else from the parts. */
  readonly side: VehicleSide | null;
  readonly angle: Angle | null;
}

/**
 * Creates the context shared by all detections of one photo.
 * @param measured part map measurements, if already computed
 */
export function createScene(
  parts: PartMap,
  size: Size,
  angle: Angle | null,
  { mass, visibleParts, certainty }: MeasuredParts = measurePartMap(parts),
): PhotoScene {
  return {
    size,
    parts,
    mass,
    certainty,
    angle,
    visibleParts: scaleToPixels(visibleParts, size),
    side: readSideOfAngle(angle) ?? findVisibleSide(mass),
  };
}

/** Returns the scene with the angle recognized from its parts. */
export function withAngle(scene: PhotoScene, angle: Angle): PhotoScene {
  return { ...scene, angle, side: readSideOfAngle(angle) ?? scene.side };
}

function readSideOfAngle(angle: Angle | null): VehicleSide | null {
  if (angle?.includes('left')) return 'left';
  return angle?.includes('right') ? 'right' : null;
}
