import { type Box, growBox } from '../geometry.ts';
import type { DetectorLabel, SegmentLabel } from './detection.ts';
import { measureMassInBox } from './part-map.ts';
import type { PhotoScene } from './photo-scene.ts';

/** Overlap with the wheel, in wheel diameters, at which a location still counts as beyond it. */
const MAX_WHEEL_OVERLAP = 1 / 6;
/** Maximum length of a bumper corner, in wheel diameters. */
const MAX_CORNER_LENGTH = 1;
/** Maximum distance from the location to the bumper on the map, in wheel diameters. */
const MAX_BUMPER_DISTANCE = 0.3;
const SURFACE_DAMAGE: ReadonlySet<DetectorLabel> = new Set(['scratch', 'paint_damage', 'crack']);

/**
 * Returns the bumper whose corner bears a damage that the map assigns to the fender or quarter panel; null otherwise.
 * On a passenger car, the area between the wheel and the vehicle's end below the top of the arch is bumper, and the
 * seam above it is too fine for the parts model. Dents are not moved, because bumper covers flex. Accuracy of the rule:
 * models/training/README.md, "Rules of place".
 */
export function findBumperCorner(
  label: DetectorLabel,
  box: Box,
  segment: SegmentLabel,
  { visibleParts, parts, size }: PhotoScene,
): SegmentLabel | null {
  const [, panel, side] = /^(front_fender|quarter_panel)_(left|right)$/.exec(segment) ?? [];
  const wheel = visibleParts.find((part) => part.label === 'wheel')?.box;
  if (panel === undefined || wheel === undefined || !SURFACE_DAMAGE.has(label)) return null;
  const isFront = panel === 'front_fender';
  const bumper = isFront ? 'front_bumper' : 'rear_bumper';
  const diameter = Math.min(wheel.width, wheel.height);
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  // Seen from its left, a vehicle points to the left of the picture; from its right, to the right.
  const gap = isFront === (side === 'left') ? wheel.x - x : x - (wheel.x + wheel.width);
  if (gap < -MAX_WHEEL_OVERLAP * diameter || gap > MAX_CORNER_LENGTH * diameter || y < wheel.y) return null;
  const around = growBox({ x, y, width: 0, height: 0 }, MAX_BUMPER_DISTANCE * diameter);
  return measureMassInBox(parts, size, around).has(bumper) ? bumper : null;
}
