import type { Angle } from '../damage.ts';
import type { PartMap, SegmentLabel } from './detection.ts';
import { checkVehicle, type LabelMass, measurePartMap, sumMass } from './part-map.ts';
import { LAMPS } from './segments.ts';

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

const FENDERS: readonly SegmentLabel[] = ['front_fender_left', 'front_fender_right'];
const QUARTERS: readonly SegmentLabel[] = ['quarter_panel_left', 'quarter_panel_right'];
/** What lies between the ends of a vehicle: its doors, and what is next to them. */
const DOORS: readonly SegmentLabel[] = [
  'roof',
  'front_door_left',
  'rear_door_left',
  'mirror_left',
  'rocker_left',
  'front_door_right',
  'rear_door_right',
  'mirror_right',
  'rocker_right',
];
/** What of the front looks in a close-up like what of the rear, in the same order. */
const FRONT_PLACES: readonly SegmentLabel[] = ['front_bumper', ...FENDERS];
const REAR_PLACES: readonly SegmentLabel[] = ['rear_bumper', ...QUARTERS];

/** Minimum share of the vehicle of an end or a side that counts as seen (fitted on held-out part photos). */
const END_SHARE = 0.22;
const SIDE_SHARE = 0.18;
/** Share of the picture below which there is too little vehicle to recognise a view. */
const ENOUGH_VEHICLE = 0.08;

export type VehicleSide = 'left' | 'right';

/**
 * Returns the side of the vehicle that a photo mostly shows, by its doors, fenders and quarters; null when it shows
 * neither.
 */
export function findSideSeen(mass: LabelMass): VehicleSide | null {
  const left = sum(mass, LEFT);
  const right = sum(mass, RIGHT);
  if (left + right < 0.02 * sumMass(mass)) return null;
  return left >= right ? 'left' : 'right';
}

/** Share of the vehicle that doors make up where both front and rear are in the picture. */
const FEW_DOORS = 0.1;
/** Minimum share of the vehicle of each of both ends. */
const BOTH_ENDS = 0.06;

/**
 * What distinguishes the front from the rear where it is seen, unlike bumpers, wheel arches and the panels over them.
 */
const FIRM: readonly SegmentLabel[] = [
  'hood',
  'windshield',
  'headlight_left',
  'headlight_right',
  'trunk_lid',
  'rear_window',
  'taillight_left',
  'taillight_right',
];
/** Share of the vehicle of the firm parts below which the end is read from bumpers and arches alone. */
const FEW_FIRM = 0.08;
/** Mean certainty below which that reading is a guess. */
const GUESS = 0.75;
/** A bumper of this share of the vehicle with a smaller share of lamps is all that is seen of its end. Assumed. */
const ALONE = { bumper: 0.85, lamps: 0.02 } as const;

/**
 * Mean certainty below which, and share of doors up to which, a panel over an arch with the edge of a door next to it is
 * a guess too: a front fender is the mirror image of the other side's quarter panel, so the side is open with the end.
 */
const MIRRORED = { certainty: 0.6, doors: 0.25 } as const;

/**
 * Returns whether a photo is a close-up with few doors whose end the parts model cannot tell: it seems to show parts of
 * front and rear, or only bumpers and wheel arches, and these unsurely (`certainty`: mean of the vehicle's cells,
 * 0 to 1). Of 178 labelled photos it held with parts model 0.4.0 for ten; five of them show the other end than the
 * one read, and one of them the other side, the only one of 104 photos with a side of which that is so. True also for a
 * bumper alone, however surely it is read: with parts model 0.5.0 two photos, one of which shows the other end.
 */
export function isEndUncertain(mass: LabelMass, certainty: number): boolean {
  const vehicle = sumMass(mass) - (mass.get('background') ?? 0);
  const share = (labels: readonly SegmentLabel[]) => sum(mass, labels) / Math.max(1e-9, vehicle);
  const front = share([...FRONT, ...FENDERS]);
  const rear = share([...REAR, ...QUARTERS]);
  const doors = share(DOORS);
  const fewFirm = share(FIRM) < FEW_FIRM;
  if (fewFirm && certainty < MIRRORED.certainty && doors < MIRRORED.doors) return true;
  const bumperAlone =
    share(['front_bumper', 'rear_bumper']) >= ALONE.bumper && share([...LAMPS]) < ALONE.lamps;
  const guessed = fewFirm && (certainty < GUESS || bumperAlone);
  return doors < FEW_DOORS && (guessed || Math.min(front, rear) >= BOTH_ENDS);
}

/**
 * Returns the end a close-up more likely shows where `isEndUncertain`: that of the lamps, panes, hood or trunk lid in it,
 * else the one that more of the picture was taken for.
 */
export function chooseLikelierEnd(mass: LabelMass): 'front' | 'rear' {
  const isFirm = (label: SegmentLabel) => FIRM.includes(label);
  const front = sum(mass, FRONT.filter(isFirm));
  const rear = sum(mass, REAR.filter(isFirm));
  if (front + rear > 0) return front >= rear ? 'front' : 'rear';
  return sum(mass, FRONT_PLACES) >= sum(mass, REAR_PLACES) ? 'front' : 'rear';
}

/** Returns whether a segment looks like one of the other end in a close-up. */
export function looksLikeOtherEnd(segment: SegmentLabel): boolean {
  return FRONT_PLACES.includes(segment) || REAR_PLACES.includes(segment);
}

/** Returns the segment of an end that stands for the same place at the other one: bumpers, and the panels over arches. */
export function turnToEnd(segment: SegmentLabel, end: 'front' | 'rear'): SegmentLabel {
  const [from, to] = end === 'front' ? [REAR_PLACES, FRONT_PLACES] : [FRONT_PLACES, REAR_PLACES];
  return to[from.indexOf(segment)] ?? segment;
}

/**
 * Returns the exterior view a photo shows, by its parts alone; null where it is uncertain that a vehicle is seen, or
 * too little of it is.
 */
export function findView(map: PartMap): Angle | null {
  const measured = measurePartMap(map);
  return checkVehicle(measured).seen ? chooseViewAngle(measured.mass, measured.certainty) : null;
}

/**
 * Returns the exterior view a photo shows, from the parts seen in it and the mean certainty of their cells; null when
 * too little of the vehicle is there.
 */
export function chooseViewAngle(mass: LabelMass, certainty: number): Angle | null {
  const all = sumMass(mass);
  const vehicle = all - (mass.get('background') ?? 0);
  if (vehicle < ENOUGH_VEHICLE * all || isEndUncertain(mass, certainty)) return null;
  const front = sum(mass, FRONT);
  const rear = sum(mass, REAR);
  const sides = sum(mass, LEFT) + sum(mass, RIGHT);
  const end = Math.max(front, rear) >= END_SHARE * vehicle ? (front >= rear ? 'front' : 'rear') : null;
  const side = sides >= SIDE_SHARE * vehicle ? findSideSeen(mass) : null;
  if (end && side) return `${end}_${side}`;
  if (end) return end;
  return side ? `${side}_side` : null;
}

function sum(mass: LabelMass, labels: readonly SegmentLabel[]): number {
  return labels.reduce((all, label) => all + (mass.get(label) ?? 0), 0);
}
