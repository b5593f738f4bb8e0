import { type Box, union } from '../geometry.ts';
import type { SegmentLabel } from './detection.ts';
import type { VisiblePart } from './part-map.ts';
import type { VehicleSide } from './view-angle.ts';

/**
 * Returns the panel at a location by the layout of a car, for locations where the parts model is uncertain: fenders lie
 * between front door and front end, quarter panels between rear door and rear end, the roof above doors and panes. Null
 * if the photo shows no doors, wheels or lamps for reference. Boxes in pixels of the upright photo.
 */
export function findPanelByLayout(
  box: Box,
  visibleParts: readonly VisiblePart[],
  side: VehicleSide | null,
): SegmentLabel | null {
  if (!side) return null;
  const doors = findExtent(visibleParts, [`front_door_${side}`, `rear_door_${side}`]);
  const frontDirection = findDirectionOfFront(visibleParts, side);
  if (!doors || frontDirection === 0) return null;
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  const panes = findExtent(visibleParts, ['windshield', 'rear_window']);
  const glassTop = Math.min(doors.y, panes?.y ?? doors.y);
  if (y < glassTop && x > doors.x - doors.width * 0.2 && x < doors.x + doors.width * 1.2) return 'roof';
  const frontEdge = frontDirection > 0 ? doors.x + doors.width : doors.x;
  const rearEdge = frontDirection > 0 ? doors.x : doors.x + doors.width;
  const isBeyond = (edge: number, sign: number) => (x - edge) * sign > 0;
  const reach = doors.width;
  if (isBeyond(frontEdge, frontDirection) && Math.abs(x - frontEdge) < reach) {
    const lamp = visibleParts.find((part) => part.label === `headlight_${side}`);
    const isPastLamp = lamp !== undefined && (x - (lamp.box.x + lamp.box.width / 2)) * frontDirection > 0;
    return isPastLamp ? 'front_bumper' : `front_fender_${side}`;
  }
  if (isBeyond(rearEdge, -frontDirection) && Math.abs(x - rearEdge) < reach) {
    const lamp = visibleParts.find((part) => part.label === `taillight_${side}`);
    const isPastLamp = lamp !== undefined && (x - (lamp.box.x + lamp.box.width / 2)) * -frontDirection > 0;
    return isPastLamp ? 'rear_bumper' : `quarter_panel_${side}`;
  }
  return null;
}

const FRONT_END = ['front_bumper', 'hood', 'windshield'] as const;
const REAR_END = ['rear_bumper', 'trunk_lid', 'rear_window'] as const;

/**
 * Returns 1 if the vehicle points to the right of the picture, -1 to the left, 0 if neither an end nor both doors are
 * visible.
 */
function findDirectionOfFront(visibleParts: readonly VisiblePart[], side: VehicleSide): -1 | 0 | 1 {
  const front = findExtent(visibleParts, [
    ...FRONT_END,
    `front_fender_${side}`,
    `headlight_${side}`,
    `front_door_${side}`,
  ]);
  const rear = findExtent(visibleParts, [
    ...REAR_END,
    `quarter_panel_${side}`,
    `taillight_${side}`,
    `rear_door_${side}`,
  ]);
  // Seen from its left, a vehicle points to the left of the picture; from its right, to the right.
  if (!front || !rear) return side === 'left' ? -1 : 1;
  const offset = computeCentreX(front) - computeCentreX(rear);
  return offset === 0 ? 0 : offset > 0 ? 1 : -1;
}

function findExtent(visibleParts: readonly VisiblePart[], labels: readonly SegmentLabel[]): Box | null {
  return visibleParts
    .filter((part) => labels.includes(part.label))
    .reduce<Box | null>((merged, part) => (merged ? union(merged, part.box) : part.box), null);
}

function computeCentreX(box: Box): number {
  return box.x + box.width / 2;
}
