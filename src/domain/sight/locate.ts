import { roundTo } from '../../lib/round.ts';
import type { RuleTrace } from '../damage.ts';
import { area, type Box, intersection } from '../geometry.ts';
import { findSide, type PartName } from '../parts.ts';
import { isFarAway } from './cell-groups.ts';
import { type ContractPlace, toContractPart } from './contract-part.ts';
import type { Detection, DetectorLabel, SegmentLabel } from './detection.ts';
import { computeVehicleShare, type LabelMass, sumMass, sumMassInBox } from './part-map.ts';
import { isEndOpen, type PhotoScene, turnToShownEnd } from './photo-scene.ts';
import {
  cannotBeThere,
  isBeside,
  isLargelyBeside,
  isNeverOnLamp,
  isOnDoorWindow,
  isReflection,
  isUsuallyIntact,
} from './plausible.ts';
import { GLASS, LAMPS } from './segments.ts';
import { findPanelByLayout } from './vehicle-geometry.ts';

/** Share of a wheel's diameter by which a place may lie within its outer edge and still be past it. */
const WITHIN_WHEEL = 1 / 6;
/** A bumper's corner is hardly longer than a wheel, in diameters. */
const CORNER_LENGTH = 1;
/** The map shows the bumper no farther from the place than this, in diameters. */
const BUMPER_WITHIN = 0.3;
/** The place lies no higher above the lower edge of the lamp than this, in diameters. */
const ABOVE_LAMP_EDGE = 0.4;

/**
 * Returns the bumper whose corner a damage lies on though the map names fender or quarter panel; null elsewhere. Between
 * the wheel and the end of a passenger car, below the top of the arch, is its bumper, and the seam above it is too fine
 * for the parts model. Dents stay where they are: bumper skins give way. How often the rule is right:
 * models/training/README.md, "Rules of place".
 */
export function findBumperCorner(
  label: DetectorLabel,
  box: Box,
  segment: SegmentLabel,
  { seen, parts, size }: PhotoScene,
): SegmentLabel | null {
  const [, panel, side] = /^(front_fender|quarter_panel)_(left|right)$/.exec(segment) ?? [];
  const wheel = seen.find((part) => part.label === 'wheel')?.box;
  if (panel === undefined || wheel === undefined || !isOnSurface(label)) return null;
  const isFront = panel === 'front_fender';
  const bumper = isFront ? 'front_bumper' : 'rear_bumper';
  const lamp = seen.find((part) => part.label === `${isFront ? 'headlight' : 'taillight'}_${side}`)?.box;
  const diameter = Math.min(wheel.width, wheel.height);
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  // Seen from its left a vehicle points to the left of the picture, from its right to the right.
  const past = isFront === (side === 'left') ? wheel.x - x : x - (wheel.x + wheel.width);
  if (past < -WITHIN_WHEEL * diameter || past > CORNER_LENGTH * diameter || y < wheel.y) return null;
  if (lamp && y < lamp.y + lamp.height - ABOVE_LAMP_EDGE * diameter) return null;
  const reach = BUMPER_WITHIN * diameter;
  const around = { x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach };
  return sumMassInBox(parts, size, around).has(bumper) ? bumper : null;
}

function isOnSurface(label: DetectorLabel): boolean {
  return label === 'scratch' || label === 'paint_damage' || label === 'crack';
}

/** A detection placed on the vehicle. */
export interface LocatedDamage extends ContractPlace {
  /** The segment of the parts model that the damage lies on: what sizes and places are read from. */
  readonly segment: SegmentLabel;
  /**
   * What remains open about the part: which of two neighbours, front or rear, left or right; null where nothing does.
   */
  readonly doubt: 'part' | 'end' | 'side' | null;
  /** What such a find is most often: an intact pane, lamp or wheel, or another vehicle. */
  readonly usuallyIntact: boolean;
  readonly explain: readonly RuleTrace[];
}

/** Why a detection is not reported. */
export type Drop = 'not_on_vehicle' | 'implausible';

export type Placement = { readonly located: LocatedDamage } | { readonly drop: Drop };

/** A box needs this share of vehicle under it (grown a little) to be a damage of the vehicle. */
const TOUCHES_VEHICLE = 0.12;

/** A mask that covers less than this share of a box does not decide alone: the car's layout is asked. */
const SURE_SHARE = 0.4;
/** Below this share a part is named only because none fits better: a close-up without neighbours. */
const UNSURE_SHARE = 0.3;

/**
 * Places what the detector saw on a part of the vehicle, or says why it is not reported: as `locate` does, but that a
 * person may draw a box around what is missing at the vehicle's outline.
 */
export function locateSeen(detection: Detection, scene: PhotoScene): Placement {
  const inside = sumMassInBox(scene.parts, scene.size, detection.box);
  return isBeside(inside) ? { drop: 'not_on_vehicle' } : locate(detection, scene);
}

/** Places a box on a part of the vehicle, or says why it is not reported. */
export function locate(detection: Detection, scene: PhotoScene): Placement {
  const { box, label } = detection;
  const inside = sumMassInBox(scene.parts, scene.size, box);
  const around = sumMassInBox(scene.parts, scene.size, growBox(box, 0.35));
  if (computeVehicleShare(around) < TOUCHES_VEHICLE) return { drop: 'not_on_vehicle' };
  if (isLargelyBeside(box, inside, scene.size)) return { drop: 'not_on_vehicle' };
  if (isReflection(label, inside) || cannotBeThere(label, inside)) return { drop: 'implausible' };

  const candidates = computeVehicleShare(inside) >= 0.25 ? inside : around;
  const byMask = chooseSegment(label, candidates) ?? chooseSegment(label, around);
  if (!byMask) return { drop: 'not_on_vehicle' };
  const share = (candidates.get(byMask) ?? 0) / Math.max(1e-9, sumMass(candidates));
  const panel =
    (share < SURE_SHARE && layoutDecides(label, byMask)
      ? findPanelByLayout(box, scene.seen, scene.side)
      : null) ?? byMask;
  const segment = findBumperCorner(label, box, panel, scene) ?? panel;
  const part = scene.seen.find((seen) => seen.label === segment);
  if (part && !part.cut && /door/.test(segment) && isOnDoorWindow(label, box, part.box))
    return { drop: 'implausible' };
  const placed = toContractPart(turnToShownEnd(segment, scene), label, box, scene);
  const isPartOpen = segment === 'wheel' || (share < UNSURE_SHARE && segment === byMask);
  const cells = (area(box) * scene.parts.width * scene.parts.height) / area({ x: 0, y: 0, ...scene.size });
  const wheel = (inside.get('wheel') ?? 0) / cells;
  const cover = part ? intersection(box, part.box) / Math.max(1, area(part.box)) : 0;
  return {
    located: {
      ...placed,
      segment,
      doubt: findDoubt(isPartOpen, placed.part, scene),
      usuallyIntact: isUsuallyIntact(label, segment, inside, cover, wheel) || isFarAway(box, scene.farPieces),
      explain: [
        {
          rule: segment === byMask ? 'locate.mask_overlap' : 'locate.vehicle_layout',
          inputs: {
            segment,
            part: placed.part,
            mask_segment: byMask,
            overlap: roundTo(share, 2),
            side_of_photo: scene.side,
            angle: scene.angle,
          },
        },
      ],
    },
  };
}

/**
 * Returns what of a place is in doubt: a stated angle gives the end; from the front and the rear both sides are in the
 * picture, so no side is in doubt.
 */
function findDoubt(partUncertain: boolean, part: PartName, scene: PhotoScene): LocatedDamage['doubt'] {
  if (isEndOpen(scene)) return 'end';
  const sided = findSide(part) === 'left' || findSide(part) === 'right';
  if (sided && scene.side === null && scene.angle === null) return 'side';
  return partUncertain ? 'part' : null;
}

/**
 * Returns whether the layout decides the part: it knows body panels only; lamps, panes, wheels and mirrors are what
 * they are seen as.
 */
function layoutDecides(label: DetectorLabel, segment: SegmentLabel): boolean {
  if (label === 'lamp_damage' || label === 'glass_damage') return false;
  return !GLASS.has(segment) && !LAMPS.has(segment) && !/wheel|mirror|rocker/.test(segment);
}

/**
 * Returns the segment a damage of this label most likely belongs to: overlap, weighted by what can have such damage.
 */
function chooseSegment(label: DetectorLabel, mass: LabelMass): SegmentLabel | null {
  let best: SegmentLabel | null = null;
  let bestWeight = 0;
  for (const [segment, weight] of mass) {
    if (segment === 'background') continue;
    const fitted = weight * computeAffinity(label, segment);
    if (fitted > bestWeight) {
      best = segment;
      bestWeight = fitted;
    }
  }
  return best;
}

function computeAffinity(label: DetectorLabel, segment: SegmentLabel): number {
  if (label === 'lamp_damage') return LAMPS.has(segment) ? 12 : GLASS.has(segment) ? 0.1 : 1;
  if (label === 'glass_damage') {
    if (GLASS.has(segment)) return 6;
    return /door|quarter/.test(segment) ? 1.5 : LAMPS.has(segment) ? 2 : 0.6;
  }
  if (GLASS.has(segment)) return label === 'crack' ? 1 : 0.25;
  if (LAMPS.has(segment)) return isNeverOnLamp(label) ? 0 : 0.5;
  return segment === 'wheel' ? 0.5 : 1;
}

function growBox(box: Box, by: number): Box {
  const margin = Math.sqrt(area(box)) * by;
  return {
    x: box.x - margin,
    y: box.y - margin,
    width: box.width + 2 * margin,
    height: box.height + 2 * margin,
  };
}
