import { roundTo } from '../../lib/numbers.ts';
import type { PartUncertainty, RuleTrace } from '../damage.ts';
import { area, growBox } from '../geometry.ts';
import { findSide } from '../parts.ts';
import { findBumperCorner } from './bumper-corner.ts';
import { type ContractPlace, toContractPart } from './contract-part.ts';
import type { Detection, DetectorLabel, SegmentLabel } from './detection.ts';
import { computeShare, computeVehicleShare, type LabelMass, measureMassInBox } from './part-map.ts';
import type { PhotoScene } from './photo-scene.ts';
import { cannotOccur, isOnDoorWindow } from './plausible.ts';
import { GLASS, LAMPS } from './segments.ts';

/** A detection located on the vehicle. */
export interface LocatedDamage extends ContractPlace {
  /** Segment of the parts model under the damage, from which sizes and positions are measured. */
  readonly segment: SegmentLabel;
  /** Null if the part is unambiguous. */
  readonly uncertainty: PartUncertainty | null;
  readonly explain: readonly RuleTrace[];
}

/** Reason for dropping a detection. */
export type DropReason = 'not_on_vehicle' | 'implausible';

export type Placement = { readonly located: LocatedDamage } | { readonly drop: DropReason };

/** Margin around a box for reading its surroundings, as a fraction of its mean side. */
const SURROUNDINGS_MARGIN = 0.35;
/** Minimum vehicle share around a box on the vehicle; the share inside below which the surroundings decide. */
const MIN_SHARE_AROUND = 0.12;
const MIN_SHARE_INSIDE = 0.25;
/** Share of a part in a box below which it is only a best guess. */
const MIN_CERTAIN_SHARE = 0.3;

/** Locates a box on a part of the vehicle, or gives the reason for dropping it. */
export function locate({ box, label }: Detection, scene: PhotoScene): Placement {
  const inside = measureMassInBox(scene.parts, scene.size, box);
  const around = measureMassInBox(
    scene.parts,
    scene.size,
    growBox(box, Math.sqrt(area(box)) * SURROUNDINGS_MARGIN),
  );
  if (computeVehicleShare(around) < MIN_SHARE_AROUND) return { drop: 'not_on_vehicle' };
  if (cannotOccur(label, inside)) return { drop: 'implausible' };
  const mass = computeVehicleShare(inside) >= MIN_SHARE_INSIDE ? inside : around;
  const seen = chooseSegment(label, mass);
  if (seen === null) return { drop: 'not_on_vehicle' };
  const segment = findBumperCorner(label, box, seen, scene) ?? seen;
  const part = scene.visibleParts.find((candidate) => candidate.label === segment);
  if (part && /door/.test(segment) && isOnDoorWindow(label, box, part)) return { drop: 'implausible' };
  const place = toContractPart(segment, label, box, scene);
  const share = computeShare(mass, [seen]);
  const isSideOpen = /left|right/.test(findSide(place.part)) && scene.side === null && scene.angle === null;
  const isFarFromGlass = label === 'glass_damage' && /bumper|fender|rocker|wheel/.test(segment);
  const isGuess = segment === 'wheel' || isFarFromGlass || share < MIN_CERTAIN_SHARE;
  const inputs = {
    segment: seen,
    part: place.part,
    overlap: roundTo(share, 2),
    side_of_photo: scene.side,
    angle: scene.angle,
  };
  return {
    located: {
      ...place,
      segment,
      uncertainty: isSideOpen ? 'side' : isGuess ? 'part' : null,
      explain: [
        { rule: 'locate.mask_overlap', inputs },
        ...(segment === seen ? [] : [{ rule: 'locate.bumper_corner', inputs: { segment } }]),
      ],
    },
  };
}

/** Returns the segment with the largest mass, weighted by how likely it has such damage. */
function chooseSegment(label: DetectorLabel, mass: LabelMass): SegmentLabel | null {
  let [best, highest]: [SegmentLabel | null, number] = [null, 0];
  for (const [segment, weight] of mass) {
    if (segment === 'background' || weight * computeAffinity(label, segment) <= highest) continue;
    [best, highest] = [segment, weight * computeAffinity(label, segment)];
  }
  return best;
}

/** Returns how much more likely than bodywork a segment has a damage of the label. Assumed. */
function computeAffinity(label: DetectorLabel, segment: SegmentLabel): number {
  if (label === 'lamp_damage') return LAMPS.has(segment) ? 12 : 1;
  if (label === 'glass_damage')
    return GLASS.has(segment) ? 6 : /door|quarter/.test(segment) ? 1.5 : LAMPS.has(segment) ? 2 : 0.6;
  return LAMPS.has(segment) || segment === 'wheel' ? 0.5 : 1;
}
