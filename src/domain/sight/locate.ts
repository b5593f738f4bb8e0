import { roundTo } from '../../lib/round.ts';
import type { PartDoubt, RuleTrace } from '../damage.ts';
import { area, type Box, intersection } from '../geometry.ts';
import { findSide, type PartName } from '../parts.ts';
import { findBumperCorner } from './bumper-corner.ts';
import { type ContractPlace, toContractPart } from './contract-part.ts';
import type { Detection, DetectorLabel, SegmentLabel } from './detection.ts';
import { isOnDistantPart } from './distant-parts.ts';
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

/** A detection located on the vehicle. */
export interface LocatedDamage extends ContractPlace {
  /** Segment of the parts model under the damage, from which sizes and positions are measured. */
  readonly segment: SegmentLabel;
  /** Null if the part is unambiguous. */
  readonly doubt: PartDoubt | null;
  /** True for detections that are usually an intact pane, lamp or wheel, or another vehicle. */
  readonly usuallyNoDamage: boolean;
  readonly explain: readonly RuleTrace[];
}

/** Reason for dropping a detection. */
export type Drop = 'not_on_vehicle' | 'implausible';

export type Placement = { readonly located: LocatedDamage } | { readonly drop: Drop };

/** Minimum share of vehicle under a slightly enlarged box. */
const TOUCHES_VEHICLE = 0.12;

/** Margin around a box, as a fraction of its side, for reading its surroundings. */
const AROUND = 0.35;
/** Share of vehicle under a box below which its surroundings locate it. */
const ENOUGH_VEHICLE = 0.25;

/** Share of a box below which its mask does not decide alone and the vehicle layout is consulted. */
const SURE_SHARE = 0.4;
/** Share below which a part is only a best guess: a close-up without adjacent parts. */
const UNSURE_SHARE = 0.3;

/**
 * Locates a detection on a part or drops it, like `locate`. Only detections are filtered at the outline: a reviewer may
 * draw a box around something missing there.
 */
export function locateSeen(detection: Detection, scene: PhotoScene): Placement {
  const inside = sumMassInBox(scene.parts, scene.size, detection.box);
  return isBeside(inside) ? { drop: 'not_on_vehicle' } : locate(detection, scene);
}

/** Locates a box on a part of the vehicle, or gives the reason for dropping it. */
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
        isUsuallyIntact(label, segment, inside, cover, wheelCertainty) ||
        isOnDistantPart(box, scene.distantParts),
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
 * Returns the segment under a box, the segment by its masks alone, and the share of the box they cover; null if no
 * segment can have such damage.
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
 * Returns the ambiguity of a location. A stated angle settles the end; from front and rear both sides are visible, so
 * the side is unambiguous.
 */
function findDoubt(partUncertain: boolean, part: PartName, scene: PhotoScene): PartDoubt | null {
  if (isEndOpen(scene)) return 'end';
  const sided = findSide(part) === 'left' || findSide(part) === 'right';
  if (sided && scene.side === null && scene.angle === null) return 'side';
  return partUncertain ? 'part' : null;
}

/**
 * Returns whether the layout decides the part: it covers body panels only; lamps, panes, wheels and mirrors are
 * recognised directly.
 */
function layoutDecides(label: DetectorLabel, segment: SegmentLabel): boolean {
  if (label === 'lamp_damage' || label === 'glass_damage') return false;
  return !GLASS.has(segment) && !LAMPS.has(segment) && !/wheel|mirror|rocker/.test(segment);
}

/** Returns the most likely segment for a damage label: overlap, weighted by which segments can have such damage. */
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
