import { roundTo } from '../../lib/round.ts';
import type { RuleTrace } from '../damage.ts';
import { area, type Box, intersection } from '../geometry.ts';
import { findSide, type PartName } from '../parts.ts';
import { findBumperCorner } from './bumper-corner.ts';
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

/** A detection placed on the vehicle. */
export interface LocatedDamage extends ContractPlace {
  /** The segment of the parts model that the damage lies on: what sizes and places are read from. */
  readonly segment: SegmentLabel;
  /**
   * What remains open about the part: which of two neighbours, front or rear, left or right; null where nothing does.
   */
  readonly doubt: 'part' | 'end' | 'side' | null;
  /** What such a find is most often: an intact pane, lamp or wheel, or another vehicle. */
  readonly usuallyNoDamage: boolean;
  readonly explain: readonly RuleTrace[];
}

/** Why a detection is not reported. */
export type Drop = 'not_on_vehicle' | 'implausible';

export type Placement = { readonly located: LocatedDamage } | { readonly drop: Drop };

/** Minimum share of vehicle under a box (grown a little) that is a damage of the vehicle. */
const TOUCHES_VEHICLE = 0.12;

/** Margin around a box, as a fraction of its side, in which its surroundings are read. */
const AROUND = 0.35;
/** Share of vehicle under a box below which it is placed by what is around it. */
const ENOUGH_VEHICLE = 0.25;

/** Share of a box below which a mask that covers it does not decide alone: the car's layout is asked. */
const SURE_SHARE = 0.4;
/** Share below which a part is named only because none fits better: a close-up without neighbours. */
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
  const around = sumMassInBox(scene.parts, scene.size, growBox(box, AROUND));
  if (computeVehicleShare(around) < TOUCHES_VEHICLE) return { drop: 'not_on_vehicle' };
  if (isLargelyBeside(box, inside, scene.size)) return { drop: 'not_on_vehicle' };
  if (isReflection(label, inside) || cannotBeThere(label, inside)) return { drop: 'implausible' };

  const chosen = choosePanel(detection, inside, around, scene);
  if (chosen === null) return { drop: 'not_on_vehicle' };
  const { segment, byMask, share } = chosen;
  const part = scene.seen.find((seen) => seen.label === segment);
  if (part && !part.cut && /door/.test(segment) && isOnDoorWindow(label, box, part.box))
    return { drop: 'implausible' };
  const placed = toContractPart(turnToShownEnd(segment, scene), label, box, scene);
  const isPartOpen = segment === 'wheel' || (share < UNSURE_SHARE && segment === byMask);
  const cellsInBox =
    (area(box) * scene.parts.width * scene.parts.height) / area({ x: 0, y: 0, ...scene.size });
  const wheelCertainty = (inside.get('wheel') ?? 0) / cellsInBox;
  const cover = part ? intersection(box, part.box) / Math.max(1, area(part.box)) : 0;
  return {
    located: {
      ...placed,
      segment,
      doubt: findDoubt(isPartOpen, placed.part, scene),
      usuallyNoDamage:
        isUsuallyIntact(label, segment, inside, cover, wheelCertainty) || isFarAway(box, scene.farPieces),
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
 * Returns the segment that a box lies on, what its masks alone say and the share of the box they cover; null where none can
 * have such damage.
 */
function choosePanel(
  { box, label }: Detection,
  inside: LabelMass,
  around: LabelMass,
  scene: PhotoScene,
): { readonly segment: SegmentLabel; readonly byMask: SegmentLabel; readonly share: number } | null {
  const candidates = computeVehicleShare(inside) >= ENOUGH_VEHICLE ? inside : around;
  const byMask = chooseSegment(label, candidates) ?? chooseSegment(label, around);
  if (!byMask) return null;
  const share = (candidates.get(byMask) ?? 0) / Math.max(1e-9, sumMass(candidates));
  const panel =
    (share < SURE_SHARE && layoutDecides(label, byMask)
      ? findPanelByLayout(box, scene.seen, scene.side)
      : null) ?? byMask;
  return { segment: findBumperCorner(label, box, panel, scene) ?? panel, byMask, share };
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
