import { area, type Box, type Size } from '../geometry.ts';
import { canSurfaceHave } from '../possible.ts';
import type { DetectorLabel, SegmentLabel } from './detection.ts';
import { computeVehicleShare, type LabelMass, sumMass } from './part-map.ts';
import { GLASS, LAMPS } from './segments.ts';

/** Share of a box on panes above which damage that panes cannot have counts as a reflection. */
const REFLECTED_IN_PANE = 0.5;
/**
 * The same for lamps, higher because a box mostly on a panel marks the panel and extends over the lamp: of two dents
 * lying on a lamp by half to four fifths on 178 labelled photos (confidence 0.05 or more), both touched a dent in the
 * adjacent panel; of three with more, none.
 */
const REFLECTED_IN_LAMP = 0.8;

/** Share of a box on panes from which a scratch counts as a reflection: glass is rarely scratched. */
const REFLECTED_SCRATCH = 0.8;

/**
 * Returns whether a detection is a reflection: damage that panes and lamps under it cannot have, or a scratch on a
 * pane. Of 18 detections on glass and lamps dropped on 178 labelled photos, two touched a real damage, and that was a
 * different one.
 */
export function isReflection(label: DetectorLabel, inside: LabelMass): boolean {
  const panes = computeShare(inside, (segment) => GLASS.has(segment));
  if (label === 'scratch') return panes >= REFLECTED_SCRATCH;
  const type = label === 'lamp_damage' ? 'glass_damage' : label;
  if (!canSurfaceHave('pane', type) && panes > REFLECTED_IN_PANE) return true;
  return isNeverOnLamp(label) && computeShare(inside, (segment) => LAMPS.has(segment)) > REFLECTED_IN_LAMP;
}

/** Returns whether damage of this kind that extends over a lamp belongs to the adjacent panel. */
export function isNeverOnLamp(label: DetectorLabel): boolean {
  return label !== 'lamp_damage' && !canSurfaceHave('lamp', label);
}

/** Lower edge of a door's window, as a share of the door's height from the top. */
const WINDOW_OF_DOOR = 0.42;

/**
 * Returns whether a body damage lies entirely in the upper part of a door, i.e. on its window, which belongs to the
 * door's mask: on 178 labelled photos none of eight such detections was a damage. `door` as seen, untruncated.
 */
export function isOnDoorWindow(label: DetectorLabel, box: Box, door: Box): boolean {
  if (label === 'glass_damage' || label === 'crack') return false;
  return box.y + box.height < door.y + WINDOW_OF_DOOR * door.height;
}

/** Share of a pane or lamp from which a box covering it marks the whole of it. */
const WHOLE_PANE = 0.35;
const WHOLE_LAMP = 0.7;

/** Share of a box on lamps from which it marks the lamps. */
const ON_LAMP = 0.8;
/** Mean wheel certainty over a box from which it marks a wheel; close-ups also contain less certain wheel cells. */
const ON_WHEEL = 0.75;

/**
 * Returns whether a detection is most often an intact pane, lamp or wheel: damage covering a whole pane or lamp, or
 * located where the parts show neither; panel damage on a lamp; anything on a certain wheel. Of 54 detections of the
 * first kind on 178 labelled photos four were a damage, of five of the others none. `cover` is the share of the part
 * covered by the box, `wheel` the mean wheel certainty over the box; 0 to 1.
 */
export function isUsuallyIntact(
  label: DetectorLabel,
  segment: SegmentLabel,
  inside: LabelMass,
  cover: number,
  wheel: number,
): boolean {
  if (label === 'glass_damage') return GLASS.has(segment) ? cover > WHOLE_PANE : true;
  const lamps = computeShare(inside, (name) => LAMPS.has(name));
  if (label === 'lamp_damage') return cover > WHOLE_LAMP || lamps < FITTING_SHARE;
  return lamps > ON_LAMP || wheel > ON_WHEEL;
}

function computeShare(inside: LabelMass, fits: (segment: SegmentLabel) => boolean): number {
  let fitting = 0;
  for (const [segment, weight] of inside) if (fits(segment)) fitting += weight;
  return fitting / Math.max(1e-9, sumMass(inside));
}

/** Share of vehicle in a box below which only the vehicle's edge is in it. */
const EDGE = 0.3;

/**
 * Returns whether a box lies next to the vehicle: around a background object, such as another vehicle that the parts
 * model partly recognises. Of six such detections on 178 labelled photos, at any confidence, none touched a damage; the
 * next two, with a third of vehicle, did.
 */
export function isBeside(inside: LabelMass): boolean {
  return computeVehicleShare(inside) < EDGE;
}

/** Share of the photo from which a box is large, and the share of vehicle that it then needs. */
const LARGE = 0.04;
const HUGE = 0.35;

/** Returns whether a large box contains mostly ground and little vehicle, i.e. marks something behind or under it. */
export function isLargelyBeside(box: Box, inside: LabelMass, photo: Size): boolean {
  const covered = area(box) / (photo.width * photo.height);
  const vehicle = computeVehicleShare(inside);
  return (covered > LARGE && vehicle < 0.3) || (covered > HUGE && vehicle < 0.5);
}

/** Minimum share of the box on a matching surface for glass and lamps; the rest is the box's loose rim. */
const FITTING_SHARE = 0.12;

/**
 * Returns whether damage of this kind is impossible on this part: broken glass needs a pane or lamp under it (side
 * panes belong to the door's mask), a broken lamp needs a lamp or the panels around a missing one; wheels are scratched
 * or bent, not dented, rusty or glazed.
 */
export function cannotBeThere(label: DetectorLabel, inside: LabelMass): boolean {
  const vehicle = [...inside].filter(([segment]) => segment !== 'background');
  const all = vehicle.reduce((sum, [, weight]) => sum + weight, 0);
  const share = (fits: (segment: SegmentLabel) => boolean) =>
    vehicle.reduce((sum, [segment, weight]) => sum + (fits(segment) ? weight : 0), 0) / Math.max(all, 1e-9);
  const wheel = share((segment) => segment === 'wheel');
  if (wheel > 0.5) return label !== 'scratch' && label !== 'panel_damage' && label !== 'crack';
  if (label === 'lamp_damage') {
    const holes = share((segment) => /bumper|fender|quarter|trunk|hood/.test(segment));
    return share((segment) => LAMPS.has(segment)) < FITTING_SHARE && holes < 0.75;
  }
  if (label === 'glass_damage') {
    return (
      share((segment) => GLASS.has(segment) || LAMPS.has(segment) || /door|quarter|mirror/.test(segment)) <
      FITTING_SHARE
    );
  }
  return false;
}
