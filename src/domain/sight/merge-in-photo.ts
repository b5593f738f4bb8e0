import type { DamageType } from '../damage.ts';
import { area, computeShareOfSmaller, intersection, iou } from '../geometry.ts';
import type { Observation } from './observation.ts';

/** More severe types absorb the milder ones that they include: a crushed panel is also scratched, but is one repair. */
const ABSORBED_TYPES: Readonly<Record<DamageType, readonly DamageType[]>> = {
  panel_damage: ['dent', 'scratch', 'paint_damage', 'crack'],
  dent: ['paint_damage'],
  glass_damage: ['crack', 'scratch', 'dent', 'paint_damage', 'panel_damage'],
  crack: ['paint_damage', 'scratch'],
  rust: ['paint_damage'],
  scratch: [],
  paint_damage: [],
};

/**
 * Deduplicates the observations of one photo: of two boxes of the same damage, keeps the more certain one; an uncertain
 * box never displaces a certain one. Order: certain first, then by confidence and box fit; stable.
 */
export function suppressDuplicates<T extends Observation>(observations: readonly T[]): readonly T[] {
  const ranked = [...observations].sort(
    (a, b) => Number(b.isCertain) - Number(a.isCertain) || compareByFit(a, b),
  );
  const survivors = suppressRepeats(ranked.filter((one) => !ranked.some((other) => isAbsorbed(one, other))));
  // The absorbing observation may itself be dropped for a more confident one, which would leave none there.
  return suppressRepeats(ranked.filter((one) => !survivors.some((other) => isAbsorbed(one, other))));
}

/** Minimum IoU of boxes of one label at the same location. */
const MIN_REPLACEMENT_IOU = 0.3;
/** Minimum ratio of confidence and score combined at which another box replaces the original one. */
const MIN_FIT_SCORE_RATIO = 2;

/**
 * Merges the observations of one photo. Each survivor takes the best-fitting box at its location with the part and the
 * measurements that follow from that box, but keeps its own confidence, because a loose box is more likely to touch the
 * damage than a tight one. On 178 photos (266 damages), findings that fit a label (IoU of 0.5) rise from 31.3 to 34.1 %,
 * certain ones from 35.6 to 39.3 %, at the same recall; thresholds were chosen on the same photos.
 */
export function refineBoxes<T extends Observation>(observations: readonly T[]): readonly T[] {
  const survivors = suppressDuplicates(observations);
  const suppressed = new Set(observations.filter((one) => !survivors.includes(one)));
  return survivors.map((survivor) => {
    const [best] = [...suppressed]
      .filter((one) => one.label === survivor.label && iou(one.box, survivor.box) >= MIN_REPLACEMENT_IOU)
      .filter((one) => computeFitScore(one) >= MIN_FIT_SCORE_RATIO * computeFitScore(survivor))
      .sort(compareByFit);
    if (best) suppressed.delete(best);
    return best ? { ...best, isCertain: survivor.isCertain, confidence: survivor.confidence } : survivor;
  });
}

/** Confidence favors large boxes, which are more likely to touch a damage; the score favors boxes that fit. */
function computeFitScore({ confidence, score }: Observation): number {
  return confidence * score;
}

function compareByFit(a: Observation, b: Observation): number {
  return computeFitScore(b) - computeFitScore(a) || a.box.x - b.box.x || a.box.y - b.box.y;
}

function suppressRepeats<T extends Observation>(ranked: readonly T[]): readonly T[] {
  const survivors: T[] = [];
  for (const one of ranked) if (!survivors.some((first) => isRepeat(first, one))) survivors.push(one);
  return survivors;
}

/** IoU above which a box repeats another: for any type and part, and for the same type and part. */
const REPEAT_IOU = 0.65;
const SAME_TYPE_IOU = 0.3;
/**
 * Share of the smaller box inside the larger above which an observation repeats another on its part: of the same type,
 * as a place to check, and as an absorbed type.
 */
const SAME_TYPE_CONTAINMENT = 0.75;
const TO_CHECK_CONTAINMENT = 0.6;
const ABSORBED_CONTAINMENT = 0.7;
/**
 * Minimum area ratio at which a place to check of another type reaches beyond the finding inside it and stays listed.
 * Keeps one or two more of 150 labeled damages of moderate severity or worse.
 */
const MIN_EXTENDING_AREA_RATIO = 4;

/**
 * Returns whether `b` repeats `a`, which ranks higher. A place to check adds nothing if it lies inside another
 * observation of the same part, or closely around it.
 */
function isRepeat(a: Observation, b: Observation): boolean {
  const overlap = iou(a.box, b.box);
  if (overlap > REPEAT_IOU || isLooseAround(a, b) || isInsideShape(a, b)) return true;
  if (a.part !== b.part) return false;
  const containment = computeShareOfSmaller(a.box, b.box);
  if (a.type === b.type && (overlap > SAME_TYPE_IOU || containment > SAME_TYPE_CONTAINMENT)) return true;
  if (b.isCertain || containment <= TO_CHECK_CONTAINMENT) return false;
  return a.type === b.type || area(b.box) <= MIN_EXTENDING_AREA_RATIO * area(a.box);
}

/** Minimum area ratio at which a box around a more confident one of its type counts as a loose view of it. Assumed. */
const MIN_LOOSE_AREA_RATIO = 10;
const MIN_LOOSE_CONTAINMENT = 0.9;

/** Returns whether `b` loosely encloses the more confident `a`, whatever part it mostly covers. */
function isLooseAround(a: Observation, b: Observation): boolean {
  if (a.type !== b.type || area(b.box) < MIN_LOOSE_AREA_RATIO * area(a.box)) return false;
  return intersection(a.box, b.box) > MIN_LOOSE_CONTAINMENT * area(a.box);
}

/** Maximum area ratio at which a box still locates the observation inside it. */
const MAX_ABSORBING_AREA_RATIO = 4;

/** Share of a box inside a more confident deformation above which both are one, whatever part it mostly covers. */
const MIN_SHAPE_CONTAINMENT = 0.9;
const SHAPES: ReadonlySet<DamageType> = new Set(['panel_damage', 'dent']);

/** Returns whether `b` is the part of deformation `a` that lies inside it: a crushed fender may reach the hood. */
function isInsideShape(a: Observation, b: Observation): boolean {
  if (a.type !== b.type || !SHAPES.has(a.type)) return false;
  if (area(a.box) > MAX_ABSORBING_AREA_RATIO * area(b.box)) return false;
  return intersection(a.box, b.box) > MIN_SHAPE_CONTAINMENT * area(b.box);
}

function isAbsorbed(one: Observation, absorber: Observation): boolean {
  if (one === absorber || (one.isCertain && !absorber.isCertain)) return false;
  if (area(absorber.box) > MAX_ABSORBING_AREA_RATIO * area(one.box)) return false;
  return (
    ABSORBED_TYPES[absorber.type].includes(one.type) &&
    computeShareOfSmaller(one.box, absorber.box) > ABSORBED_CONTAINMENT &&
    area(absorber.box) >= area(one.box)
  );
}
