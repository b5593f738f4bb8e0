import type { Angle, DamageSubtype, DamageType, RuleTrace } from './damage.ts';
import type { Detection, DetectorLabel, PartMap, SegmentLabel } from './detection.ts';
import type { Box, Size } from './geometry.ts';
import { area } from './geometry.ts';
import { type LabelMass, massInBox, massOf, partsSeen, type SeenPart, vehicleShare } from './part-map.ts';
import { isPartName, type PartName } from './parts.ts';
import { panelByLayout } from './vehicle-geometry.ts';
import { sideSeen, type VehicleSide } from './view-angle.ts';

/** A detection placed on the vehicle. */
export interface LocatedDamage {
  readonly type: DamageType;
  readonly subtype?: DamageSubtype;
  readonly part: PartName;
  /** The segment of the parts model that the damage lies on: what sizes and places are read from. */
  readonly segment: SegmentLabel;
  /** Little of the box is certain to be that part, and the layout of the car does not say otherwise. */
  readonly partUncertain: boolean;
  readonly explain: readonly RuleTrace[];
}

/** Why a detection is not reported. */
export type Drop = 'not_on_vehicle' | 'implausible';

export type Placement = { readonly located: LocatedDamage } | { readonly drop: Drop };

/** What placing a detection needs to know of its photo. */
export interface PhotoScene {
  readonly size: Size;
  readonly parts: PartMap;
  readonly seen: readonly SeenPart[];
  readonly mass: LabelMass;
  /** The vehicle's side that the photo shows: by its stated angle where there is one, else by the parts. */
  readonly side: VehicleSide | null;
  readonly angle: Angle | null;
}

/** Gathers what the placing of all detections of one photo shares. */
export function sceneOf(parts: PartMap, size: Size, angle: Angle | null): PhotoScene {
  const mass = massOf(parts);
  return {
    size,
    parts,
    mass,
    angle,
    seen: partsSeen(parts, size),
    side: sideOfAngle(angle) ?? sideSeen(mass),
  };
}

/** A box needs this share of vehicle under it (grown a little) to be a damage of the vehicle. */
const TOUCHES_VEHICLE = 0.12;
/** Share of a box that must lie on glass before a body damage there is taken for a reflection. */
const REFLECTION_SHARE = 0.8;

/** A mask that covers less than this share of a box does not decide alone: the car's layout is asked. */
const SURE_SHARE = 0.4;
/** Below this share a part is named only because none fits better: a close-up without neighbours. */
const UNSURE_SHARE = 0.3;

const GLASS: ReadonlySet<SegmentLabel> = new Set(['windshield', 'rear_window']);
const LAMPS: ReadonlySet<SegmentLabel> = new Set([
  'headlight_left',
  'headlight_right',
  'taillight_left',
  'taillight_right',
]);

/** Places a detection on a part of the vehicle, or says why it is not reported. */
export function locate(detection: Detection, scene: PhotoScene): Placement {
  const { box, label } = detection;
  const inside = massInBox(scene.parts, scene.size, box);
  const around = massInBox(scene.parts, scene.size, grown(box, 0.35));
  if (vehicleShare(around) < TOUCHES_VEHICLE) return { drop: 'not_on_vehicle' };
  if (isLargelyBeside(box, inside, scene)) return { drop: 'not_on_vehicle' };
  if (isReflection(label, inside) || cannotBeThere(label, inside)) return { drop: 'implausible' };

  const candidates = vehicleShare(inside) >= 0.25 ? inside : around;
  const byMask = chooseSegment(label, candidates) ?? chooseSegment(label, around);
  if (!byMask) return { drop: 'not_on_vehicle' };
  const share = (candidates.get(byMask) ?? 0) / Math.max(1e-9, totalOf(candidates));
  const segment =
    (share < SURE_SHARE && layoutDecides(label, byMask)
      ? panelByLayout(box, scene.seen, scene.side)
      : null) ?? byMask;
  const placed = toContractPart(segment, label, box, scene);
  return {
    located: {
      ...placed,
      segment,
      partUncertain: share < UNSURE_SHARE && segment === byMask,
      explain: [
        {
          rule: segment === byMask ? 'locate.mask_overlap' : 'locate.vehicle_layout',
          inputs: {
            segment,
            part: placed.part,
            mask_segment: byMask,
            overlap: round(share),
            side_of_photo: scene.side,
            angle: scene.angle,
          },
        },
      ],
    },
  };
}

/** Dents, rust and paint damage cannot sit on a window: what looks so there is mirrored in it. */
function isReflection(label: DetectorLabel, inside: LabelMass): boolean {
  if (label === 'glass_damage' || label === 'lamp_damage' || label === 'crack' || label === 'panel_damage')
    return false;
  let glass = 0;
  for (const [segment, weight] of inside) if (GLASS.has(segment)) glass += weight;
  return glass >= REFLECTION_SHARE * totalOf(inside);
}

/** A large box that holds mostly yard and little vehicle was drawn around something behind or under the vehicle. */
function isLargelyBeside(box: Box, inside: LabelMass, scene: PhotoScene): boolean {
  const large = area(box) > 0.04 * scene.size.width * scene.size.height;
  return large && vehicleShare(inside) < 0.3;
}

/** Share of the box that must be of a fitting kind for glass and lamps; the rest is the box's loose rim. */
const FITTING_SHARE = 0.12;

/**
 * Broken glass needs a pane or a lamp under it (side panes belong to the door's mask), a broken lamp needs a lamp or
 * the panels a lost one leaves a hole in; wheels are scratched or bent, not dented, rusty or glazed.
 */
function cannotBeThere(label: DetectorLabel, inside: LabelMass): boolean {
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

/** The layout knows body panels only; lamps, panes, wheels and mirrors are what they are seen as. */
function layoutDecides(label: DetectorLabel, segment: SegmentLabel): boolean {
  if (label === 'lamp_damage' || label === 'glass_damage') return false;
  return !GLASS.has(segment) && !LAMPS.has(segment) && !/wheel|mirror|rocker/.test(segment);
}

/** The segment a damage of this label most likely belongs to: overlap, weighed by what can have such damage. */
function chooseSegment(label: DetectorLabel, mass: LabelMass): SegmentLabel | null {
  let best: SegmentLabel | null = null;
  let bestWeight = 0;
  for (const [segment, weight] of mass) {
    if (segment === 'background') continue;
    const fitted = weight * affinity(label, segment);
    if (fitted > bestWeight) {
      best = segment;
      bestWeight = fitted;
    }
  }
  return best;
}

function affinity(label: DetectorLabel, segment: SegmentLabel): number {
  if (label === 'lamp_damage') return LAMPS.has(segment) ? 12 : GLASS.has(segment) ? 0.1 : 1;
  if (label === 'glass_damage') {
    if (GLASS.has(segment)) return 6;
    return /door|quarter/.test(segment) ? 1.5 : LAMPS.has(segment) ? 2 : 0.6;
  }
  if (GLASS.has(segment)) return label === 'crack' ? 1 : 0.25;
  return LAMPS.has(segment) ? 0.5 : 1;
}

function toContractPart(
  segment: SegmentLabel,
  label: DetectorLabel,
  box: Box,
  scene: PhotoScene,
): Pick<LocatedDamage, 'type' | 'subtype' | 'part'> {
  const side = sideOfSegment(segment, scene);
  const sided = (base: string): PartName => `${base}_${side ?? 'left'}` as PartName;
  if (label === 'lamp_damage') return { type: 'glass_damage', ...lampAt(segment, box, scene, side) };
  if (label === 'glass_damage') return glassAt(segment, scene, side);
  const type: DamageType =
    label === 'crack' && (GLASS.has(segment) || LAMPS.has(segment)) ? 'glass_damage' : label;
  if (segment === 'wheel') return { type, subtype: 'wheel_damage', part: bodyBesideWheel(box, scene) };
  if (segment.startsWith('mirror')) return { type, subtype: 'mirror_damage', part: sided('front_door') };
  if (segment.startsWith('rocker'))
    return { type, subtype: 'rocker_damage', part: doorAbove(box, scene, side) };
  if (LAMPS.has(segment)) {
    const lamp = sided(segment.replace(/_(left|right)$/, ''));
    return {
      type: 'glass_damage',
      subtype: segment.startsWith('head') ? 'headlight_damage' : 'taillight_damage',
      part: lamp,
    };
  }
  const sidedName = segment.replace(/_(left|right)$/, side ? `_${side}` : '_$1');
  return { type, part: isPartName(sidedName) ? sidedName : 'front_bumper' };
}

/**
 * Left or right of a sided segment. Doors, quarters, fenders, mirrors and rockers of only one side can be seen in a
 * photo, so the photo's side decides; the lamps of both sides are visible from the front or rear, so theirs stays.
 */
function sideOfSegment(segment: SegmentLabel, scene: PhotoScene): VehicleSide | null {
  const own = segment.endsWith('_left') ? 'left' : segment.endsWith('_right') ? 'right' : null;
  if (!own) return scene.side;
  const oneSideOnly = /door|quarter|rocker/.test(segment);
  const sideView = scene.angle === 'left_side' || scene.angle === 'right_side';
  return scene.side && (oneSideOnly || sideView) ? scene.side : own;
}

function lampAt(
  segment: SegmentLabel,
  box: Box,
  scene: PhotoScene,
  side: VehicleSide | null,
): { part: PartName; subtype: DamageSubtype } {
  const rear = /taillight|rear_bumper|trunk|quarter|rear_window|rear_door/.test(segment);
  const lampSide = LAMPS.has(segment) ? (side ?? 'left') : sideByPosition(box, scene, rear);
  if (rear) return { part: `taillight_${lampSide}`, subtype: 'taillight_damage' };
  const headlight = scene.seen.find((part) => part.label === `headlight_${lampSide}`);
  // A lamp in the bumper, clearly below the headlight of that side, is its fog light.
  const below =
    headlight && segment === 'front_bumper' && box.y > headlight.box.y + headlight.box.height * 1.2;
  return below
    ? { part: `fog_light_${lampSide}`, subtype: 'fog_light_damage' }
    : { part: `headlight_${lampSide}`, subtype: 'headlight_damage' };
}

/** From the front the vehicle's left is in the right half of the picture; from the rear it is in the left half. */
function sideByPosition(box: Box, scene: PhotoScene, rear: boolean): VehicleSide {
  const corner = scene.side;
  if (corner && scene.angle !== 'front' && scene.angle !== 'rear') return corner;
  const vehicle = scene.seen.filter((part) => part.share > 0);
  const left = Math.min(...vehicle.map((part) => part.box.x));
  const right = Math.max(...vehicle.map((part) => part.box.x + part.box.width));
  const inRightHalf = box.x + box.width / 2 > (left + right) / 2;
  return inRightHalf === rear ? 'right' : 'left';
}

function glassAt(
  segment: SegmentLabel,
  scene: PhotoScene,
  side: VehicleSide | null,
): Pick<LocatedDamage, 'type' | 'subtype' | 'part'> {
  const type = 'glass_damage';
  const letter = (side ?? 'left') === 'left' ? 'l' : 'r';
  if (segment === 'windshield' || segment === 'rear_window') return { type, part: segment };
  if (segment.startsWith('front_door') || segment.startsWith('mirror'))
    return { type, part: `side_window_f${letter}` };
  if (segment.startsWith('rear_door') || segment.startsWith('quarter'))
    return { type, part: `side_window_r${letter}` };
  if (LAMPS.has(segment)) {
    const lampSide = segment.endsWith('_left') ? 'left' : 'right';
    return segment.startsWith('head')
      ? { type, subtype: 'headlight_damage', part: `headlight_${lampSide}` }
      : { type, subtype: 'taillight_damage', part: `taillight_${lampSide}` };
  }
  const rearward = /rear|trunk/.test(segment) || scene.angle === 'rear';
  return { type, part: rearward ? 'rear_window' : 'windshield' };
}

/** A wheel has no name of its own: its damage goes to the fender or quarter panel around it. */
function bodyBesideWheel(box: Box, scene: PhotoScene): PartName {
  const side = scene.side ?? 'left';
  const centre = box.x + box.width / 2;
  const distance = (labels: readonly SegmentLabel[]) =>
    Math.min(
      ...scene.seen
        .filter((part) => labels.includes(part.label))
        .map((part) => Math.abs(part.box.x + part.box.width / 2 - centre)),
      Number.MAX_SAFE_INTEGER,
    );
  const front = distance([`front_fender_${side}`, 'front_bumper', `headlight_${side}`]);
  const rear = distance([`quarter_panel_${side}`, 'rear_bumper', `taillight_${side}`]);
  return rear < front ? `quarter_panel_${side}` : `front_fender_${side}`;
}

/** A rocker has no name of its own: its damage goes to the door above it. */
function doorAbove(box: Box, scene: PhotoScene, side: VehicleSide | null): PartName {
  const centre = box.x + box.width / 2;
  const gap = (label: string) => {
    const door = scene.seen.find((part) => part.label === label);
    return door ? Math.abs(door.box.x + door.box.width / 2 - centre) : Number.MAX_SAFE_INTEGER;
  };
  const of = side ?? 'left';
  return gap(`rear_door_${of}`) < gap(`front_door_${of}`) ? `rear_door_${of}` : `front_door_${of}`;
}

function sideOfAngle(angle: Angle | null): VehicleSide | null {
  if (angle === 'left_side' || angle === 'front_left' || angle === 'rear_left') return 'left';
  if (angle === 'right_side' || angle === 'front_right' || angle === 'rear_right') return 'right';
  return null;
}

function grown(box: Box, by: number): Box {
  const margin = Math.sqrt(area(box)) * by;
  return {
    x: box.x - margin,
    y: box.y - margin,
    width: box.width + 2 * margin,
    height: box.height + 2 * margin,
  };
}

function totalOf(mass: LabelMass): number {
  let all = 0;
  for (const weight of mass.values()) all += weight;
  return all;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
