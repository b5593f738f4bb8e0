import type { Box } from '../geometry.ts';
import type { DetectorLabel, SegmentLabel } from './detection.ts';
import { sumMassInBox } from './part-map.ts';
import type { PhotoScene } from './photo-scene.ts';

/** Share of a wheel's diameter by which a place may lie within its outer edge and still be past it. */
const WITHIN_WHEEL = 1 / 6;
/** A bumper's corner is hardly longer than a wheel, in diameters. */
const CORNER_LENGTH = 1;
/** The map shows the bumper no farther from the place than this, in diameters. */
const BUMPER_WITHIN = 0.3;
/** The place lies no higher above the lower edge of the lamp than this, in diameters. */
const ABOVE_LAMP_EDGE = 0.4;

/**
 * Returns the bumper whose corner a damage lies on though the map names fender or quarter panel; null elsewhere. Between
 * the wheel and the end of a passenger car, below the top of the arch, is its bumper, and the seam above it is too fine
 * for the parts model. Dents stay where they are: bumper skins give way. How often the rule is right:
 * models/training/README.md, "Rules of place".
 */
export function findBumperCorner(
  label: DetectorLabel,
  box: Box,
  segment: SegmentLabel,
  { seen, parts, size }: PhotoScene,
): SegmentLabel | null {
  const [, panel, side] = /^(front_fender|quarter_panel)_(left|right)$/.exec(segment) ?? [];
  const wheel = seen.find((part) => part.label === 'wheel')?.box;
  if (panel === undefined || wheel === undefined || !isOnSurface(label)) return null;
  const isFront = panel === 'front_fender';
  const bumper = isFront ? 'front_bumper' : 'rear_bumper';
  const lamp = seen.find((part) => part.label === `${isFront ? 'headlight' : 'taillight'}_${side}`)?.box;
  const diameter = Math.min(wheel.width, wheel.height);
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  // Seen from its left a vehicle points to the left of the picture, from its right to the right.
  const past = isFront === (side === 'left') ? wheel.x - x : x - (wheel.x + wheel.width);
  if (past < -WITHIN_WHEEL * diameter || past > CORNER_LENGTH * diameter || y < wheel.y) return null;
  if (lamp && y < lamp.y + lamp.height - ABOVE_LAMP_EDGE * diameter) return null;
  const reach = BUMPER_WITHIN * diameter;
  const around = { x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach };
  return sumMassInBox(parts, size, around).has(bumper) ? bumper : null;
}

function isOnSurface(label: DetectorLabel): boolean {
  return label === 'scratch' || label === 'paint_damage' || label === 'crack';
}
