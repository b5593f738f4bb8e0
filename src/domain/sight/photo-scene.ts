import type { Angle } from '../damage.ts';
import type { Box, Size } from '../geometry.ts';
import type { PartMap, SegmentLabel } from './detection.ts';
import { listDistantParts } from './distant-parts.ts';
import { chooseLikelierEnd, isEndUncertain, turnToEnd } from './end-ambiguity.ts';
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
  /** Wheels and tail lamps far smaller than the largest, in pixels of the photo. */
  readonly distantParts: readonly Box[];
  /** Vehicle side shown: by the stated angle, else by the parts. */
  readonly side: VehicleSide | null;
  readonly angle: Angle | null;
}

/**
 * Creates the context shared by all detections of one photo.
 * @param measured part map measurements, if already available
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
    distantParts: listDistantParts(parts, size),
    visibleParts: scaleToPixels(visibleParts, size),
    side: readSideOfAngle(angle) ?? findVisibleSide(mass),
  };
}

/** Returns the scene with the angle recognised from its parts. */
export function withAngle(scene: PhotoScene, angle: Angle): PhotoScene {
  return { ...scene, angle, side: readSideOfAngle(angle) ?? scene.side };
}

/**
 * Returns the segment at the end of the vehicle shown by a close-up with ambiguous parts: the end of the stated angle,
 * else the more likely one.
 */
export function toVisibleEnd(segment: SegmentLabel, { mass, certainty, angle }: PhotoScene): SegmentLabel {
  if (!isEndUncertain(mass, certainty)) return segment;
  const end = angle === null ? chooseLikelierEnd(mass) : readEndOfAngle(angle);
  return end === null ? segment : turnToEnd(segment, end);
}

/** Returns whether front or rear is ambiguous: no angle was stated and the photo does not show it. */
export function isSceneEndUncertain({ angle, mass, certainty }: PhotoScene): boolean {
  return angle === null && isEndUncertain(mass, certainty);
}

function readEndOfAngle(angle: Angle): 'front' | 'rear' | null {
  if (angle.startsWith('front')) return 'front';
  return angle.startsWith('rear') ? 'rear' : null;
}

function readSideOfAngle(angle: Angle | null): VehicleSide | null {
  if (angle === 'left_side' || angle === 'front_left' || angle === 'rear_left') return 'left';
  if (angle === 'right_side' || angle === 'front_right' || angle === 'rear_right') return 'right';
  return null;
}
