import { area, type Box, type Size } from '../geometry.ts';
import { canSurfaceHave } from '../possible.ts';
import type { DetectorLabel, SegmentLabel } from './detection.ts';
import { computeVehicleShare, type LabelMass, sumMass } from './part-map.ts';
import { GLASS, LAMPS } from './segments.ts';

/** Share of a box that must lie on panes before what they cannot have counts as a reflection. */
const REFLECTED_IN_PANE = 0.5;
/**
 * The same for lamps. A box with more of a panel than the rest is about the panel, reaching over the lamp: of two dents
 * that lie on a lamp by half to four fifths on 178 labelled photos (confidence 0.05 or more) both touched a dent in the
 * panel next to it; of three that lie on one by more, none.
 */
const REFLECTED_IN_LAMP = 0.8;

/** Share of a box on panes from which a scratch there counts as a reflection: glass can be scratched, but rarely is. */
const REFLECTED_SCRATCH = 0.8;

/**
 * Returns whether a find is a reflection: what panes and lamps under it cannot have, or a scratch on a pane. Of 18 finds
 * on glass and lamps that this drops on 178 labelled photos two touched a real damage, and that was another one.
 */
export function isReflection(label: DetectorLabel, inside: LabelMass): boolean {
  const panes = computeShare(inside, (segment) => GLASS.has(segment));
  if (label === 'scratch') return panes >= REFLECTED_SCRATCH;
  const type = label === 'lamp_damage' ? 'glass_damage' : label;
  if (!canSurfaceHave('pane', type) && panes > REFLECTED_IN_PANE) return true;
  return isNeverOnLamp(label) && computeShare(inside, (segment) => LAMPS.has(segment)) > REFLECTED_IN_LAMP;
}

/** Returns whether damage of this kind, where it reaches over a lamp, is that of the panel next to it. */
export function isNeverOnLamp(label: DetectorLabel): boolean {
  return label !== 'lamp_damage' && !canSurfaceHave('lamp', label);
}

/** Where the window of a door ends, as a share of the door's height from above. */
const WINDOW_OF_DOOR = 0.42;

/**
 * Returns whether a body damage lies wholly in the upper part of a door, and so on its window, which belongs to the
 * door's mask: on 178 labelled photos none of eight such finds was a damage. `door` as seen, whole in the picture.
 */
export function isOnDoorWindow(label: DetectorLabel, box: Box, door: Box): boolean {
  if (label === 'glass_damage' || label === 'crack') return false;
  return box.y + box.height < door.y + WINDOW_OF_DOOR * door.height;
}

/** Fraction of a pane, or of a lamp, from which a box that covers it is about the whole of it. */
const WHOLE_PANE = 0.35;
const WHOLE_LAMP = 0.7;

/** Share of a box on lamps from which it is about them. */
const ON_LAMP = 0.8;
/**
 * Mean certainty of wheel over a box from which it is about a wheel; in close-ups the parts see wheels, less surely.
 */
const ON_WHEEL = 0.75;

/**
 * Returns whether a find is one that an intact pane, lamp or wheel is most often mistaken for: damage that covers the
 * whole of a pane or lamp, or that lies where the parts show neither; damage of a panel on a lamp; anything on what is
 * surely a wheel. Of 54 finds of the first kind on 178 labelled photos four were a damage, of five of the others none.
 * `cover` is the share of the part that the box covers, `wheel` the mean certainty of wheel over the box; 0 to 1.
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

/** Share of a box below which the vehicle under it is only its edge. */
const EDGE = 0.3;

/**
 * Returns whether the detector drew a box next to the vehicle: around something in the background, such as another
 * vehicle of which the parts model sees a little. Of six such finds on 178 labelled photos, whatever their confidence,
 * none touched a damage; the next two, a third of which is vehicle, did.
 */
export function isBeside(inside: LabelMass): boolean {
  return computeVehicleShare(inside) < EDGE;
}

/** Share of the photo from which a box is large, and from which the vehicle must have most of it. */
const LARGE = 0.04;
const HUGE = 0.35;

/**
 * Returns whether a large box holds mostly ground and little vehicle: such a box was drawn around something behind or
 * under the vehicle.
 */
export function isLargelyBeside(box: Box, inside: LabelMass, photo: Size): boolean {
  const covered = area(box) / (photo.width * photo.height);
  const vehicle = computeVehicleShare(inside);
  return (covered > LARGE && vehicle < 0.3) || (covered > HUGE && vehicle < 0.5);
}

/** Share of the box that must be of a fitting kind for glass and lamps; the rest is the box's loose rim. */
const FITTING_SHARE = 0.12;

/**
 * Returns whether damage of this kind cannot be on this part: broken glass needs a pane or a lamp under it (side panes
 * belong to the door's mask), a broken lamp needs a lamp or the panels that a lost one leaves a hole in; wheels are
 * scratched or bent, not dented, rusty or glazed.
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
