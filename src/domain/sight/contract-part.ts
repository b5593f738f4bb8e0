import type { DamageSubtype, DamageType } from '../damage.ts';
import type { Box } from '../geometry.ts';
import { type PartName, replaceSide, splitSide, type VehicleSide } from '../parts.ts';
import type { DetectorLabel, SegmentLabel } from './detection.ts';
import type { PhotoScene } from './photo-scene.ts';
import { GLASS, LAMPS } from './segments.ts';

/** Contract type of a damage and its part. */
export interface ContractPlace {
  readonly type: DamageType;
  readonly subtype?: DamageSubtype;
  readonly part: PartName;
}

/** Maps a detector label on a segment to the contract's type and part. */
export function toContractPart(
  segment: SegmentLabel,
  label: DetectorLabel,
  box: Box,
  scene: PhotoScene,
): ContractPlace {
  const knownSide = findSegmentSide(segment, scene);
  const side = knownSide ?? 'left';
  if (label === 'lamp_damage') return locateLamp(segment, box, scene, side);
  if (label === 'glass_damage') return locateGlass(segment, side);
  const type = toContractType(segment, label);
  if (segment === 'wheel') return { type, subtype: 'wheel_damage', part: findPanelAroundWheel(box, scene) };
  if (segment.startsWith('mirror')) return { type, subtype: 'mirror_damage', part: `front_door_${side}` };
  if (segment.startsWith('rocker'))
    return { type, subtype: 'rocker_damage', part: findDoorAbove(box, scene, side) };
  // A scratched lamp is no broken one, which is replaced.
  if (LAMPS.has(segment) && type !== 'scratch') return nameLamp(readLamp(segment), side);
  // Every other segment of a vehicle has the name of its part.
  return { type, part: replaceSide(segment, knownSide) as PartName };
}

/** Returns the contract's type of a body damage by its surface: a pane or lamp breaks where sheet metal cracks. */
function toContractType(segment: SegmentLabel, label: Exclude<DetectorLabel, 'lamp_damage'>): DamageType {
  return label === 'crack' && (GLASS.has(segment) || LAMPS.has(segment)) ? 'glass_damage' : label;
}

/**
 * Returns the side of a segment, the photo's if it has none. A photo shows the doors, quarters and rockers of one side
 * only, so its side decides; other segments of both sides can be visible, so they keep theirs except in a side view.
 */
export function findSegmentSide(segment: SegmentLabel, scene: PhotoScene): VehicleSide | null {
  const segmentSide = splitSide(segment).side;
  if (!segmentSide) return scene.side;
  const isOneSideOnly = /door|quarter|rocker/.test(segment);
  const isSideView = scene.angle === 'left_side' || scene.angle === 'right_side';
  return scene.side && (isOneSideOnly || isSideView) ? scene.side : segmentSide;
}

function locateLamp(segment: SegmentLabel, box: Box, scene: PhotoScene, side: VehicleSide): ContractPlace {
  const isRear = /taillight|rear_bumper|trunk|quarter|rear_window|rear_door/.test(segment);
  const lampSide = LAMPS.has(segment) ? side : inferSide(box, scene, isRear);
  if (isRear) return nameLamp('taillight', lampSide);
  const headlight = scene.visibleParts.find((part) => part.label === `headlight_${lampSide}`);
  // A lamp in the bumper, clearly below the headlight of its side, is the fog light.
  const isBelowHeadlight =
    headlight && segment === 'front_bumper' && box.y > headlight.box.y + headlight.box.height * 1.2;
  return nameLamp(isBelowHeadlight ? 'fog_light' : 'headlight', lampSide);
}

/**
 * Infers the side from the position in the picture: from the front, the vehicle's left is in the right half; from the
 * rear, in the left half.
 */
function inferSide(box: Box, scene: PhotoScene, isRear: boolean): VehicleSide {
  if (scene.side && scene.angle !== 'front' && scene.angle !== 'rear') return scene.side;
  const left = Math.min(...scene.visibleParts.map((part) => part.box.x));
  const right = Math.max(...scene.visibleParts.map((part) => part.box.x + part.box.width));
  const inRightHalf = box.x + box.width / 2 > (left + right) / 2;
  return inRightHalf === isRear ? 'right' : 'left';
}

function locateGlass(segment: SegmentLabel, side: VehicleSide): ContractPlace {
  const type = 'glass_damage';
  const letter = side === 'left' ? 'l' : 'r';
  if (segment === 'windshield' || segment === 'rear_window') return { type, part: segment };
  if (/^(front_door|mirror)/.test(segment)) return { type, part: `side_window_f${letter}` };
  if (/^(rear_door|quarter)/.test(segment)) return { type, part: `side_window_r${letter}` };
  if (LAMPS.has(segment)) return nameLamp(readLamp(segment), side);
  return { type, part: /rear|trunk/.test(segment) ? 'rear_window' : 'windshield' };
}

const readLamp = (segment: SegmentLabel) => (segment.startsWith('head') ? 'headlight' : 'taillight');

function nameLamp(lamp: 'headlight' | 'taillight' | 'fog_light', side: VehicleSide): ContractPlace {
  return { type: 'glass_damage', subtype: `${lamp}_damage`, part: `${lamp}_${side}` };
}

/** Returns the fender or quarter panel around a wheel, which has no part name of its own. */
function findPanelAroundWheel(box: Box, scene: PhotoScene): PartName {
  const side = scene.side ?? 'left';
  const front = measureDistance(box, [`front_fender_${side}`, 'front_bumper', `headlight_${side}`], scene);
  const rear = measureDistance(box, [`quarter_panel_${side}`, 'rear_bumper', `taillight_${side}`], scene);
  return rear < front ? `quarter_panel_${side}` : `front_fender_${side}`;
}

/** Returns the door above a rocker, which has no part name of its own. */
function findDoorAbove(box: Box, scene: PhotoScene, side: VehicleSide): PartName {
  const [front, rear] = [`front_door_${side}`, `rear_door_${side}`] as const;
  return measureDistance(box, [rear], scene) < measureDistance(box, [front], scene) ? rear : front;
}

/** Returns the horizontal distance between the centers of a box and the nearest of these parts; infinite if none is seen. */
function measureDistance(box: Box, labels: readonly SegmentLabel[], { visibleParts }: PhotoScene): number {
  const findCenter = ({ x, width }: Box) => x + width / 2;
  const seen = visibleParts.filter((part) => labels.includes(part.label));
  return Math.min(...seen.map((part) => Math.abs(findCenter(part.box) - findCenter(box))));
}
