import type { Angle } from '../damage.ts';
import type { SegmentLabel } from './detection.ts';
import { type LabelMass, totalOf } from './part-map.ts';

const FRONT: readonly SegmentLabel[] = [
  'front_bumper',
  'hood',
  'windshield',
  'headlight_left',
  'headlight_right',
];
const REAR: readonly SegmentLabel[] = [
  'rear_bumper',
  'trunk_lid',
  'rear_window',
  'taillight_left',
  'taillight_right',
];
const LEFT: readonly SegmentLabel[] = [
  'front_fender_left',
  'front_door_left',
  'rear_door_left',
  'quarter_panel_left',
  'rocker_left',
];
const RIGHT: readonly SegmentLabel[] = [
  'front_fender_right',
  'front_door_right',
  'rear_door_right',
  'quarter_panel_right',
  'rocker_right',
];

/** An end or a side must make up this share of the vehicle to count as seen (fitted on held-out part photos). */
const END_SHARE = 0.22;
const SIDE_SHARE = 0.18;
/** Below this share of the picture there is too little vehicle to tell a view. */
const ENOUGH_VEHICLE = 0.08;

export type VehicleSide = 'left' | 'right';

/** The side of the vehicle that a photo mostly shows, by its doors, fenders and quarters; null when it shows neither. */
export function sideSeen(mass: LabelMass): VehicleSide | null {
  const left = sum(mass, LEFT);
  const right = sum(mass, RIGHT);
  if (left + right < 0.02 * totalOf(mass)) return null;
  return left >= right ? 'left' : 'right';
}

/** The exterior view a photo shows, from the parts seen in it; null when too little of the vehicle is there. */
export function viewAngle(mass: LabelMass): Angle | null {
  const all = totalOf(mass);
  const vehicle = all - (mass.get('background') ?? 0);
  if (vehicle < ENOUGH_VEHICLE * all) return null;
  const front = sum(mass, FRONT);
  const rear = sum(mass, REAR);
  const sides = sum(mass, LEFT) + sum(mass, RIGHT);
  const end = Math.max(front, rear) >= END_SHARE * vehicle ? (front >= rear ? 'front' : 'rear') : null;
  const side = sides >= SIDE_SHARE * vehicle ? sideSeen(mass) : null;
  if (end && side) return `${end}_${side}`;
  if (end) return end;
  return side ? `${side}_side` : null;
}

function sum(mass: LabelMass, labels: readonly SegmentLabel[]): number {
  return labels.reduce((all, label) => all + (mass.get(label) ?? 0), 0);
}
