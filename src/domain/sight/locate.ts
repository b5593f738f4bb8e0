import { roundTo } from '../../lib/round.ts';
import type { PartUncertainty, RuleTrace } from '../damage.ts';
import { area, type Box, intersection } from '../geometry.ts';
import { findSide, type PartName } from '../parts.ts';
import { findBumperCorner } from './bumper-corner.ts';
import { type ContractPlace, toContractPart } from './contract-part.ts';
import type { Detection, DetectorLabel, SegmentLabel } from './detection.ts';
import { isOnDistantPart } from './distant-parts.ts';
import { computeVehicleShare, type LabelMass, sumMass, sumMassInBox } from './part-map.ts';
import { isSceneEndUncertain, type PhotoScene, toVisibleEnd } from './photo-scene.ts';
import {
  cannotOccur,
  isMostlyGround,
  isNeverOnLamp,
  isOffVehicle,
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
  readonly uncertainty: PartUncertainty | null;
  /** True for detections that are usually an intact pane, lamp or wheel, or another vehicle. */
  readonly usuallyNoDamage: boolean;
  readonly explain: readonly RuleTrace[];
}

/** Reason for dropping a detection. */
export type DropReason = 'not_on_vehicle' | 'implausible';

export type Placement = { readonly located: LocatedDamage } | { readonly drop: DropReason };

/** Minimum share of vehicle under a slightly enlarged box. */
const MIN_VEHICLE_SHARE_AROUND = 0.12;

/** Margin around a box, as a fraction of its side, for reading its surroundings. */
const SURROUNDINGS_MARGIN = 0.35;
/** Share of vehicle under a box below which its surroundings locate it. */
const MIN_VEHICLE_SHARE = 0.25;

/** Share of a box below which its mask does not decide alone and the vehicle layout is consulted. */
const MIN_SURE_MASK_SHARE = 0.4;
/** Share below which a part is only a best guess: a close-up without adjacent parts. */
const MIN_CERTAIN_PART_SHARE = 0.3;

/**
 * Locates a detection on a part or drops it, like `locate`. Only detections are filtered at the outline: a reviewer may
 * draw a box around something missing there.
 */
export function locateDetection(detection: Detection, scene: PhotoScene): Placement {
  const boxMass = sumMassInBox(scene.parts, scene.size, detection.box);
  return isOffVehicle(boxMass) ? { drop: 'not_on_vehicle' } : locate(detection, scene);
}

/** Locates a box on a part of the vehicle, or gives the reason for dropping it. */
export function locate(detection: Detection, scene: PhotoScene): Placement {
  const { box, label } = detection;
  const boxMass = sumMassInBox(scene.parts, scene.size, box);
  const wideMass = sumMassInBox(scene.parts, scene.size, growBox(box, SURROUNDINGS_MARGIN));
  if (computeVehicleShare(wideMass) < MIN_VEHICLE_SHARE_AROUND) return { drop: 'not_on_vehicle' };
  if (isMostlyGround(box, boxMass, scene.size)) return { drop: 'not_on_vehicle' };
  if (isReflection(label, boxMass) || cannotOccur(label, boxMass)) return { drop: 'implausible' };

  const panel = choosePanel(detection, boxMass, wideMass, scene);
  if (panel === null) return { drop: 'not_on_vehicle' };
  const { segment, maskSegment, share } = panel;
  const part = scene.visibleParts.find((candidate) => candidate.label === segment);
  if (part && !part.isTruncated && /door/.test(segment) && isOnDoorWindow(label, box, part.box))
    return { drop: 'implausible' };
  const contractPlace = toContractPart(toVisibleEnd(segment, scene), label, box, scene);
  const isPartUncertain = segment === 'wheel' || (share < MIN_CERTAIN_PART_SHARE && segment === maskSegment);
  const cellsInBox =
    (area(box) * scene.parts.width * scene.parts.height) / area({ x: 0, y: 0, ...scene.size });
  const wheelCertainty = (boxMass.get('wheel') ?? 0) / cellsInBox;
  const coveredShare = part ? intersection(box, part.box) / Math.max(1, area(part.box)) : 0;
  return {
    located: {
      ...contractPlace,
      segment,
      uncertainty: findUncertainty(isPartUncertain, contractPlace.part, scene),
      usuallyNoDamage:
        isUsuallyIntact(label, segment, boxMass, coveredShare, wheelCertainty) ||
        isOnDistantPart(box, scene.distantParts),
      explain: [
        {
          rule: segment === maskSegment ? 'locate.mask_overlap' : 'locate.vehicle_layout',
          inputs: {
            segment,
            part: contractPlace.part,
            mask_segment: maskSegment,
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
  boxMass: LabelMass,
  wideMass: LabelMass,
  scene: PhotoScene,
): { readonly segment: SegmentLabel; readonly maskSegment: SegmentLabel; readonly share: number } | null {
  const candidates = computeVehicleShare(boxMass) >= MIN_VEHICLE_SHARE ? boxMass : wideMass;
  const maskSegment = chooseSegment(label, candidates) ?? chooseSegment(label, wideMass);
  if (!maskSegment) return null;
  const share = (candidates.get(maskSegment) ?? 0) / Math.max(1e-9, sumMass(candidates));
  const panel =
    (share < MIN_SURE_MASK_SHARE && isDecidedByLayout(label, maskSegment)
      ? findPanelByLayout(box, scene.visibleParts, scene.side)
      : null) ?? maskSegment;
  return { segment: findBumperCorner(label, box, panel, scene) ?? panel, maskSegment, share };
}

/**
 * Returns the ambiguity of a location. A stated angle settles the end; from front and rear both sides are visible, so
 * the side is unambiguous.
 */
function findUncertainty(guessed: boolean, part: PartName, scene: PhotoScene): PartUncertainty | null {
  if (isSceneEndUncertain(scene)) return 'end';
  const isSided = findSide(part) === 'left' || findSide(part) === 'right';
  if (isSided && scene.side === null && scene.angle === null) return 'side';
  return guessed ? 'part' : null;
}

/**
 * Returns whether the layout decides the part: it covers body panels only; lamps, panes, wheels and mirrors are
 * recognised directly.
 */
function isDecidedByLayout(label: DetectorLabel, segment: SegmentLabel): boolean {
  if (label === 'lamp_damage' || label === 'glass_damage') return false;
  return !GLASS.has(segment) && !LAMPS.has(segment) && !/wheel|mirror|rocker/.test(segment);
}

/** Returns the most likely segment for a damage label: overlap, weighted by which segments can have such damage. */
function chooseSegment(label: DetectorLabel, mass: LabelMass): SegmentLabel | null {
  let best: SegmentLabel | null = null;
  let bestWeight = 0;
  for (const [segment, weight] of mass) {
    if (segment === 'background') continue;
    const weighted = weight * computeAffinity(label, segment);
    if (weighted > bestWeight) {
      best = segment;
      bestWeight = weighted;
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

function growBox(box: Box, factor: number): Box {
  const margin = Math.sqrt(area(box)) * factor;
  return {
    x: box.x - margin,
    y: box.y - margin,
    width: box.width + 2 * margin,
    height: box.height + 2 * margin,
  };
}
