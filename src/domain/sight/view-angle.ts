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
/** Segments between the ends of a vehicle: its doors and adjacent parts. */
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
/** Front segments that resemble rear ones in a close-up, in the same order. */
const FRONT_PLACES: readonly SegmentLabel[] = ['front_bumper', ...FENDERS];
const REAR_PLACES: readonly SegmentLabel[] = ['rear_bumper', ...QUARTERS];

/** Minimum share of the vehicle for an end or side to count as seen (fitted on held-out part photos). */
const END_SHARE = 0.22;
const SIDE_SHARE = 0.18;
/** Minimum share of the picture for recognising a view. */
const ENOUGH_VEHICLE = 0.08;

export type VehicleSide = 'left' | 'right';

/**
 * Returns the side of the vehicle that a photo mostly shows, by its doors, fenders and quarters; null if it shows
 * neither.
 */
export function findSideSeen(mass: LabelMass): VehicleSide | null {
  const left = sum(mass, LEFT);
  const right = sum(mass, RIGHT);
  if (left + right < 0.02 * sumMass(mass)) return null;
  return left >= right ? 'left' : 'right';
}

/** Maximum door share of the vehicle at which both front and rear are in the picture. */
const FEW_DOORS = 0.1;
/** Minimum share of the vehicle for each of both ends. */
const BOTH_ENDS = 0.06;

/** Segments that distinguish front from rear, unlike bumpers, wheel arches and the panels over them. */
const DISTINCTIVE: readonly SegmentLabel[] = [
  'hood',
  'windshield',
  'headlight_left',
  'headlight_right',
  'trunk_lid',
  'rear_window',
  'taillight_left',
  'taillight_right',
];
/** Share of the vehicle in distinctive parts below which the end is read only from bumpers and arches. */
const FEW_DISTINCTIVE = 0.08;
/** Mean certainty below which that reading is a guess. */
const GUESS_CERTAINTY = 0.75;
/** A bumper of this share with a smaller share of lamps is the only visible part of its end. Assumed. */
const LONE_BUMPER = { bumper: 0.85, lamps: 0.02 } as const;

/**
 * Maximum certainty and door share at which a panel over an arch next to the edge of a door is a guess too: a front
 * fender mirrors the other side's quarter panel, so side and end are both ambiguous.
 */
const MIRRORED = { certainty: 0.6, doors: 0.25 } as const;

/**
 * Returns whether a photo is a close-up with few doors whose end the parts model cannot determine: it seems to show
 * parts of front and rear, or only bumpers and wheel arches, with low `certainty` (mean of the vehicle's cells, 0 to
 * 1). With parts model 0.4.0 this held for ten of 178 labelled photos; five of them show the other end than the one
 * read, and one the other side, the only one of 104 photos with a side for which that is so. Also true for a lone
 * bumper at any certainty: with parts model 0.5.0 two photos, one of which shows the other end.
 */
export function isEndUncertain(mass: LabelMass, certainty: number): boolean {
  const vehicle = sumMass(mass) - (mass.get('background') ?? 0);
  const share = (labels: readonly SegmentLabel[]) => sum(mass, labels) / Math.max(1e-9, vehicle);
  const front = share([...FRONT, ...FENDERS]);
  const rear = share([...REAR, ...QUARTERS]);
  const doors = share(DOORS);
  const fewDistinctive = share(DISTINCTIVE) < FEW_DISTINCTIVE;
  if (fewDistinctive && certainty < MIRRORED.certainty && doors < MIRRORED.doors) return true;
  const bumperAlone =
    share(['front_bumper', 'rear_bumper']) >= LONE_BUMPER.bumper && share([...LAMPS]) < LONE_BUMPER.lamps;
  const guessed = fewDistinctive && (certainty < GUESS_CERTAINTY || bumperAlone);
  return doors < FEW_DOORS && (guessed || Math.min(front, rear) >= BOTH_ENDS);
}

/**
 * Returns the more likely end of a close-up if `isEndUncertain`: that of its lamps, panes, hood or trunk lid, else the
 * one with the larger area.
 */
export function chooseLikelierEnd(mass: LabelMass): 'front' | 'rear' {
  const isDistinctive = (label: SegmentLabel) => DISTINCTIVE.includes(label);
  const front = sum(mass, FRONT.filter(isDistinctive));
  const rear = sum(mass, REAR.filter(isDistinctive));
  if (front + rear > 0) return front >= rear ? 'front' : 'rear';
  return sum(mass, FRONT_PLACES) >= sum(mass, REAR_PLACES) ? 'front' : 'rear';
}

/** Returns whether a segment resembles one of the other end in a close-up. */
export function looksLikeOtherEnd(segment: SegmentLabel): boolean {
  return FRONT_PLACES.includes(segment) || REAR_PLACES.includes(segment);
}

/** Returns the corresponding segment at an end: bumpers, and the panels over arches. */
export function turnToEnd(segment: SegmentLabel, end: 'front' | 'rear'): SegmentLabel {
  const [from, to] = end === 'front' ? [REAR_PLACES, FRONT_PLACES] : [FRONT_PLACES, REAR_PLACES];
  return to[from.indexOf(segment)] ?? segment;
}

/**
 * Returns the exterior view of a photo from its parts alone; null if a vehicle is uncertain or too little of it is
 * visible.
 */
export function findView(map: PartMap): Angle | null {
  const measured = measurePartMap(map);
  return checkVehicle(measured).seen ? chooseViewAngle(measured.mass, measured.certainty) : null;
}

/**
 * Returns the exterior view of a photo from its parts and their mean certainty; null if too little of the vehicle is
 * visible.
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
