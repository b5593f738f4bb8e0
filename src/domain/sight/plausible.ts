import { area, type Box, type Size } from '../geometry.ts';
import type { DetectorLabel, SegmentLabel } from './detection.ts';
import { type LabelMass, totalOf, vehicleShare } from './part-map.ts';
import { GLASS, LAMPS } from './segments.ts';

/** Share of a box that must lie on glass before a body damage there is taken for a reflection. */
const REFLECTION_SHARE = 0.8;

/** Dents, rust and paint damage cannot sit on a window: what looks so there is mirrored in it. */
export function isReflection(label: DetectorLabel, inside: LabelMass): boolean {
  if (label === 'glass_damage' || label === 'lamp_damage' || label === 'crack' || label === 'panel_damage')
    return false;
  let glass = 0;
  for (const [segment, weight] of inside) if (GLASS.has(segment)) glass += weight;
  return glass >= REFLECTION_SHARE * totalOf(inside);
}

/** Share of the photo from which a box is large, and from which the vehicle must have most of it. */
const LARGE = 0.04;
const HUGE = 0.35;

/** A large box that holds mostly yard and little vehicle was drawn around something behind or under the vehicle. */
export function isLargelyBeside(box: Box, inside: LabelMass, photo: Size): boolean {
  const covered = area(box) / (photo.width * photo.height);
  const vehicle = vehicleShare(inside);
  return (covered > LARGE && vehicle < 0.3) || (covered > HUGE && vehicle < 0.5);
}

/** Share of the box that must be of a fitting kind for glass and lamps; the rest is the box's loose rim. */
const FITTING_SHARE = 0.12;

/**
 * Broken glass needs a pane or a lamp under it (side panes belong to the door's mask), a broken lamp needs a lamp or
 * the panels a lost one leaves a hole in; wheels are scratched or bent, not dented, rusty or glazed.
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
