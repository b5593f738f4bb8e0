import type { Photo } from '../../contract/inspection.ts';
import type { DrawnBox, Stated } from '../../contract/review.ts';
import type { Placement } from '../../contract/review-answers.ts';
import type { DamageType } from '../../domain/damage.ts';
import type { Size } from '../../domain/geometry.ts';
import type { PartName } from '../../domain/parts.ts';
import { fitsPart } from '../../domain/possible-types.ts';
import { toContractPart } from '../../domain/sight/contract-part.ts';
import type { DetectorLabel, PartMap } from '../../domain/sight/detection.ts';
import { type LocatedDamage, locate } from '../../domain/sight/locate.ts';
import { computeShare, type LabelMass, measureMassInBox } from '../../domain/sight/part-map.ts';
import { createScene, type PhotoScene } from '../../domain/sight/photo-scene.ts';
import { GLASS, LAMPS } from '../../domain/sight/segments.ts';
import { compareTexts } from '../../lib/names.ts';
import { roundTo } from '../../lib/numbers.ts';
import { createObservation, type MeasuredObservation } from '../inspect/observe.ts';
import { gradeFinding } from '../inspect/price-findings.ts';
import { presentEstimate } from '../present-repair.ts';
import type { Pricer } from '../pricer.ts';

/** A drawn box with its type and the parts under it. */
interface PlacedBox {
  readonly type: DamageType;
  readonly alternatives: Placement['alternatives'];
  /** Null if no part is named, and the box is off the vehicle or on no part that can have the damage. */
  readonly observation: MeasuredObservation | null;
}

/** Creates the scene of a photo from its parts map and the angle settled by the inspection. */
export const makeScene = (map: PartMap, photo: Pick<Photo, 'width' | 'height' | 'angle'>): PhotoScene =>
  createScene(map, { width: photo.width, height: photo.height }, photo.angle);

/** Creates the scene of a photo without a parts map; all parts are unknown. */
export function makeUnseenScene(photo: Size): PhotoScene {
  const cell = { bestLabels: new Uint8Array(1), certainty: new Uint8Array(1) };
  return createScene({ labels: ['background'], width: 1, height: 1, ...cell }, photo, null);
}

/** Minimum aspect ratio of a box off glass and lamps proposed as a scratch; others are dents. Assumed. */
const SCRATCH_ASPECT = 2.5;

/** Confidence and score of a drawn box. */
const CERTAIN = 1;

/**
 * Locates a drawn box on a part and sizes and grades the damage by the inspection's rules. Values stated by the
 * reviewer override proposals. `photo` is the photo's index; box in pixels of the upright photo.
 */
export function placeDrawn(scene: PhotoScene, photo: number, box: DrawnBox, stated: Stated): PlacedBox {
  const mass = measureMassInBox(scene.parts, scene.size, box);
  const type = stated.type ?? proposeType(box, mass);
  const label = chooseLabel(type, mass);
  const detection = { label, box, confidence: CERTAIN, score: CERTAIN };
  const alternatives = listPartsUnder(label, box, mass, scene);
  const placement = locate(detection, scene);
  const proposed =
    'located' in placement && fitsPart(type, placement.located.part) ? placement.located : null;
  const possible = alternatives.find(({ part }) => fitsPart(type, part));
  const named = stated.part ?? proposed?.part ?? possible?.part;
  const isOffVehicle = 'drop' in placement && placement.drop === 'not_on_vehicle';
  if (named === undefined || (stated.part === undefined && isOffVehicle))
    return { type, alternatives, observation: null };
  const placed: LocatedDamage =
    proposed?.part === named
      ? { ...proposed, type, uncertainty: null }
      : {
          type,
          part: named,
          segment:
            scene.visibleParts.find(({ label: seen }) => seen === named)?.label ??
            proposed?.segment ??
            'background',
          uncertainty: null,
          explain: [
            {
              rule: stated.part === undefined ? 'locate.mask_overlap' : 'locate.reviewer',
              inputs: { part: named, proposed: proposed?.part ?? null },
            },
          ],
        };
  const located = stated.subtype === undefined ? placed : { ...placed, subtype: stated.subtype };
  return { type, alternatives, observation: createObservation(located, detection, true, photo, scene) };
}

/** Presents a drawn box to the reviewer before it becomes a damage. */
export function presentPlacement(placed: PlacedBox, stated: Stated, pricer: Pricer): Placement {
  const { observation: seen, type, alternatives } = placed;
  if (seen === null) {
    const severity = stated.severity ?? null;
    const unknown = { size_cm: null, severity_score: null, estimated_repair: null };
    return { part: null, alternatives, type, severity, ...unknown, explain: [] };
  }
  const { severity, severityScore, floors, range } = gradeFinding([seen], [], pricer, stated.severity);
  return {
    part: seen.part,
    alternatives,
    type,
    ...(seen.subtype ? { subtype: seen.subtype } : {}),
    size_cm: seen.longSideCm,
    severity,
    severity_score: severityScore,
    estimated_repair: presentEstimate(range),
    explain: [...seen.explain, ...floors, ...range.explain],
  };
}

function proposeType(box: DrawnBox, mass: LabelMass): DamageType {
  if (computeShare(mass, [...GLASS, ...LAMPS]) > 0.5) return 'glass_damage';
  const aspect = Math.max(box.width, box.height) / Math.min(box.width, box.height);
  return aspect >= SCRATCH_ASPECT ? 'scratch' : 'dent';
}

/** Returns the detector's label for a type: broken glass over a lamp is a broken lamp. */
function chooseLabel(type: DamageType, mass: LabelMass): DetectorLabel {
  const isLamp = computeShare(mass, LAMPS) > computeShare(mass, GLASS);
  return type === 'glass_damage' && isLamp ? 'lamp_damage' : type;
}

const MAX_ALTERNATIVES = 3;

/** Lists the contract parts under a box, at most three, by the share that their segments cover, largest first. */
function listPartsUnder(
  label: DetectorLabel,
  box: DrawnBox,
  mass: LabelMass,
  scene: PhotoScene,
): Placement['alternatives'] {
  const shares = new Map<PartName, number>();
  for (const segment of mass.keys()) {
    if (segment === 'background') continue;
    const { part } = toContractPart(segment, label, box, scene);
    shares.set(part, (shares.get(part) ?? 0) + computeShare(mass, [segment]));
  }
  return [...shares]
    .map(([part, share]) => ({ part, share: roundTo(share, 2) }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share || compareTexts(a.part, b.part))
    .slice(0, MAX_ALTERNATIVES);
}
