import type { SegmentLabel } from './detection.ts';
import { type LabelMass, sumLabels, sumMass } from './part-map.ts';
import { FRONT, LAMPS, REAR } from './segments.ts';

const BUMPERS: readonly SegmentLabel[] = ['front_bumper', 'rear_bumper'];
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
const FRONT_TWINS: readonly SegmentLabel[] = ['front_bumper', ...FENDERS];
const REAR_TWINS: readonly SegmentLabel[] = ['rear_bumper', ...QUARTERS];

/** Maximum door share of the vehicle at which both front and rear are in the picture. */
const MAX_DOOR_SHARE = 0.1;
/** Minimum share of the vehicle for each of both ends. */
const MIN_BOTH_ENDS_SHARE = 0.06;

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
const MIN_DISTINCTIVE_SHARE = 0.08;
/** Mean certainty below which that reading is a guess. */
const MIN_END_CERTAINTY = 0.75;
/** Minimum bumper share and maximum lamp share of a close-up that shows a bumper alone. Assumed. */
const LONE_BUMPER = { bumper: 0.85, lamps: 0.02 } as const;

/**
 * Maximum certainty and door share at which a panel over an arch next to the edge of a door is a guess too: a front
 * fender mirrors the other side's quarter panel, so side and end are both ambiguous.
 */
const MIRRORED_ARCH = { certainty: 0.6, doors: 0.25 } as const;

/**
 * Returns whether a photo is a close-up with few doors whose end the parts model cannot determine: it seems to show
 * parts of front and rear, or only bumpers and wheel arches, with low `certainty` (mean of the vehicle's cells, 0 to
 * 1). With parts model 0.4.0 this held for ten of 178 labelled photos; five of them show the other end than the one
 * read, and one the other side, the only one of 104 photos with a side for which that is so. Also true for a lone
 * bumper at any certainty: with parts model 0.5.0 two photos, one of which shows the other end.
 */
export function isEndUncertain(mass: LabelMass, certainty: number): boolean {
  const vehicle = sumMass(mass) - (mass.get('background') ?? 0);
  const shareOf = (labels: readonly SegmentLabel[]) => sumLabels(mass, labels) / Math.max(1e-9, vehicle);
  const doors = shareOf(DOORS);
  const hasFewDistinctive = shareOf(DISTINCTIVE) < MIN_DISTINCTIVE_SHARE;
  const isMirroredPanel =
    hasFewDistinctive && certainty < MIRRORED_ARCH.certainty && doors < MIRRORED_ARCH.doors;
  const isGuess = hasFewDistinctive && certainty < MIN_END_CERTAINTY;
  const isLoneBumper =
    hasFewDistinctive && shareOf(BUMPERS) >= LONE_BUMPER.bumper && shareOf([...LAMPS]) < LONE_BUMPER.lamps;
  const showsBothEnds =
    Math.min(shareOf([...FRONT, ...FENDERS]), shareOf([...REAR, ...QUARTERS])) >= MIN_BOTH_ENDS_SHARE;
  return isMirroredPanel || (doors < MAX_DOOR_SHARE && (isGuess || isLoneBumper || showsBothEnds));
}

/**
 * Returns the more likely end of a close-up if `isEndUncertain`: that of its lamps, panes, hood or trunk lid, else the
 * one with the larger area.
 */
export function chooseLikelierEnd(mass: LabelMass): 'front' | 'rear' {
  const isDistinctive = (label: SegmentLabel) => DISTINCTIVE.includes(label);
  const front = sumLabels(mass, FRONT.filter(isDistinctive));
  const rear = sumLabels(mass, REAR.filter(isDistinctive));
  if (front + rear > 0) return front >= rear ? 'front' : 'rear';
  return sumLabels(mass, FRONT_TWINS) >= sumLabels(mass, REAR_TWINS) ? 'front' : 'rear';
}

/** Returns whether a segment resembles one of the other end in a close-up. */
export function looksLikeOtherEnd(segment: SegmentLabel): boolean {
  return FRONT_TWINS.includes(segment) || REAR_TWINS.includes(segment);
}

/** Returns the corresponding segment at an end: bumpers, and the panels over arches. */
export function turnToEnd(segment: SegmentLabel, end: 'front' | 'rear'): SegmentLabel {
  const [from, to] = end === 'front' ? [REAR_TWINS, FRONT_TWINS] : [FRONT_TWINS, REAR_TWINS];
  return to[from.indexOf(segment)] ?? segment;
}
