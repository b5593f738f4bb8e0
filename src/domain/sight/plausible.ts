import { area, type Box, type Size } from '../geometry.ts';
import { canSurfaceHave } from '../possible.ts';
import type { DetectorLabel, SegmentLabel } from './detection.ts';
import { computeVehicleShare, type LabelMass, sumMass } from './part-map.ts';
import { GLASS, LAMPS } from './segments.ts';

/** Share of a box on panes above which damage that panes cannot have counts as a reflection. */
const PANE_REFLECTION_SHARE = 0.5;
/**
 * The same for lamps, higher because a box mostly on a panel marks the panel and extends over the lamp: of two dents
 * lying on a lamp by half to four fifths on 178 labelled photos (confidence 0.05 or more), both touched a dent in the
 * adjacent panel; of three with more, none.
 */
const LAMP_REFLECTION_SHARE = 0.8;

/** Share of a box on panes from which a scratch counts as a reflection: glass is rarely scratched. */
const SCRATCH_REFLECTION_SHARE = 0.8;

/**
 * Returns whether a detection is a reflection: damage that panes and lamps under it cannot have, or a scratch on a
 * pane. Of 18 detections on glass and lamps dropped on 178 labelled photos, two touched a real damage, and that was a
 * different one.
 */
export function isReflection(label: DetectorLabel, mass: LabelMass): boolean {
  const paneShare = computeShare(mass, (segment) => GLASS.has(segment));
  if (label === 'scratch') return paneShare >= SCRATCH_REFLECTION_SHARE;
  const type = label === 'lamp_damage' ? 'glass_damage' : label;
  if (!canSurfaceHave('pane', type) && paneShare > PANE_REFLECTION_SHARE) return true;
  return isNeverOnLamp(label) && computeShare(mass, (segment) => LAMPS.has(segment)) > LAMP_REFLECTION_SHARE;
}

/** Returns whether damage of this kind that extends over a lamp belongs to the adjacent panel. */
export function isNeverOnLamp(label: DetectorLabel): boolean {
  return label !== 'lamp_damage' && !canSurfaceHave('lamp', label);
}

/** Lower edge of a door's window, as a share of the door's height from the top. */
const WINDOW_HEIGHT_SHARE = 0.42;

/**
 * Returns whether a body damage lies entirely in the upper part of a door, i.e. on its window, which belongs to the
 * door's mask: on 178 labelled photos none of eight such detections was a damage. `door` as seen, untruncated.
 */
export function isOnDoorWindow(label: DetectorLabel, box: Box, door: Box): boolean {
  if (label === 'glass_damage' || label === 'crack') return false;
  return box.y + box.height < door.y + WINDOW_HEIGHT_SHARE * door.height;
}

/** Share of a pane or lamp from which a box covering it marks the whole of it. */
const MAX_DAMAGED_PANE_SHARE = 0.35;
const MAX_DAMAGED_LAMP_SHARE = 0.7;

/** Share of a box on lamps from which it marks the lamps. */
const MAX_LAMP_SHARE = 0.8;
/** Mean wheel certainty over a box from which it marks a wheel; close-ups also contain less certain wheel cells. */
const MAX_WHEEL_CERTAINTY = 0.75;

/**
 * Returns whether a detection is most often an intact pane, lamp or wheel: damage covering a whole pane or lamp, or
 * located where the parts show neither; panel damage on a lamp; anything on a certain wheel. Of 54 detections of the
 * first kind on 178 labelled photos four were a damage, of five of the others none. `coveredShare` is the part's share
 * covered by the box, `wheelCertainty` the mean wheel certainty over the box; 0 to 1.
 */
export function isUsuallyIntact(
  label: DetectorLabel,
  segment: SegmentLabel,
  mass: LabelMass,
  coveredShare: number,
  wheelCertainty: number,
): boolean {
  if (label === 'glass_damage') return GLASS.has(segment) ? coveredShare > MAX_DAMAGED_PANE_SHARE : true;
  const lampShare = computeShare(mass, (name) => LAMPS.has(name));
  if (label === 'lamp_damage') return coveredShare > MAX_DAMAGED_LAMP_SHARE || lampShare < MIN_MATCHING_SHARE;
  return lampShare > MAX_LAMP_SHARE || wheelCertainty > MAX_WHEEL_CERTAINTY;
}

function computeShare(mass: LabelMass, matches: (segment: SegmentLabel) => boolean): number {
  let matchingMass = 0;
  for (const [segment, weight] of mass) if (matches(segment)) matchingMass += weight;
  return matchingMass / Math.max(1e-9, sumMass(mass));
}

/** Share of vehicle in a box below which only the vehicle's edge is in it. */
const MIN_VEHICLE_SHARE = 0.3;

/**
 * Returns whether a box lies next to the vehicle: around a background object, such as another vehicle that the parts
 * model partly recognises. Of six such detections on 178 labelled photos, at any confidence, none touched a damage; the
 * next two, with a third of vehicle, did.
 */
export function isOffVehicle(mass: LabelMass): boolean {
  return computeVehicleShare(mass) < MIN_VEHICLE_SHARE;
}

/** Share of the photo from which a box is large, and the share of vehicle that it then needs. */
const LARGE_BOX = 0.04;
const HUGE_BOX = 0.35;

/** Returns whether a large box contains mostly ground and little vehicle, i.e. marks something behind or under it. */
export function isMostlyGround(box: Box, mass: LabelMass, photo: Size): boolean {
  const boxShare = area(box) / (photo.width * photo.height);
  const vehicleShare = computeVehicleShare(mass);
  return (boxShare > LARGE_BOX && vehicleShare < 0.3) || (boxShare > HUGE_BOX && vehicleShare < 0.5);
}

/** Minimum share of the box on a matching surface for glass and lamps; the rest is the box's loose rim. */
const MIN_MATCHING_SHARE = 0.12;

/**
 * Returns whether damage of this kind is impossible on this part: broken glass needs a pane or lamp under it (side
 * panes belong to the door's mask), a broken lamp needs a lamp or the panels around a missing one; wheels are scratched
 * or bent, not dented, rusty or glazed.
 */
export function cannotOccur(label: DetectorLabel, mass: LabelMass): boolean {
  const entries = [...mass].filter(([segment]) => segment !== 'background');
  const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
  const shareOf = (matches: (segment: SegmentLabel) => boolean) =>
    entries.reduce((sum, [segment, weight]) => sum + (matches(segment) ? weight : 0), 0) /
    Math.max(total, 1e-9);
  const wheel = shareOf((segment) => segment === 'wheel');
  if (wheel > 0.5) return label !== 'scratch' && label !== 'panel_damage' && label !== 'crack';
  if (label === 'lamp_damage') {
    const housingShare = shareOf((segment) => /bumper|fender|quarter|trunk|hood/.test(segment));
    return shareOf((segment) => LAMPS.has(segment)) < MIN_MATCHING_SHARE && housingShare < 0.75;
  }
  if (label === 'glass_damage') {
    return (
      shareOf((segment) => GLASS.has(segment) || LAMPS.has(segment) || /door|quarter|mirror/.test(segment)) <
      MIN_MATCHING_SHARE
    );
  }
  return false;
}
