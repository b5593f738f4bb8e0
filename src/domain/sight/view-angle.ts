import type { VehicleSide } from '../parts.ts';
import type { Angle } from '../photo.ts';
import { checkVehicle } from './check-vehicle.ts';
import type { PartMap, SegmentLabel } from './detection.ts';
import { type LabelMass, measurePartMap, sumMass, sumMassOf } from './part-map.ts';
import { FRONT, REAR } from './segments.ts';

const listFlank = (side: VehicleSide): readonly SegmentLabel[] => [
  `front_fender_${side}`,
  `front_door_${side}`,
  `rear_door_${side}`,
  `quarter_panel_${side}`,
  `rocker_${side}`,
];

/** Minimum share of the vehicle for an end to count as seen (fitted on held-out part photos). */
const MIN_END_SHARE = 0.22;
/** Likewise for a side. */
const MIN_SIDE_SHARE = 0.18;
/** Minimum share of the picture for recognizing a view. */
const MIN_VEHICLE_SHARE = 0.08;

/** Returns the side that a photo mostly shows, by its doors, fenders, quarters and rockers; null if it shows neither. */
export function findVisibleSide(mass: LabelMass): VehicleSide | null {
  const left = sumMassOf(mass, listFlank('left'));
  const right = sumMassOf(mass, listFlank('right'));
  if (left + right < 0.02 * sumMass(mass)) return null;
  return left >= right ? 'left' : 'right';
}

/** Returns the exterior view of a photo; null if it shows no vehicle for certain, or too little of one. */
export function findViewAngle(map: PartMap): Angle | null {
  const measured = measurePartMap(map);
  return checkVehicle(measured).passed ? chooseViewAngle(measured.mass) : null;
}

/** Returns the exterior view of a photo from the mass of its parts; null if too little of the vehicle is visible. */
export function chooseViewAngle(mass: LabelMass): Angle | null {
  const total = sumMass(mass);
  const vehicle = total - (mass.get('background') ?? 0);
  if (vehicle < MIN_VEHICLE_SHARE * total) return null;
  const front = sumMassOf(mass, FRONT);
  const rear = sumMassOf(mass, REAR);
  const sides = sumMassOf(mass, listFlank('left')) + sumMassOf(mass, listFlank('right'));
  const end = Math.max(front, rear) >= MIN_END_SHARE * vehicle ? (front >= rear ? 'front' : 'rear') : null;
  const side = sides >= MIN_SIDE_SHARE * vehicle ? findVisibleSide(mass) : null;
  if (end && side) return `${end}_${side}`;
  if (end) return end;
  return side ? `${side}_side` : null;
}
