import { iou, type Size } from '../../domain/geometry.ts';
import type { PartMap } from '../../domain/sight/detection.ts';
import { sumMassInBox } from '../../domain/sight/part-map.ts';
import { cannotBeThere, isLargelyBeside, isReflection } from '../../domain/sight/plausible.ts';
import type { Candidate } from './evidence.ts';

/** Below this calibrated confidence a box is hardly ever a damage. */
const LEAST_CONFIDENCE = 0.008;
/** Candidates of a photo, best first: a wreck has dozens. */
const MOST_CANDIDATES = 32;
/** Of boxes that overlap by more than this only the best is a candidate: the result keeps one of them. */
const SAME_THING = 0.65;

/**
 * Returns the boxes of a photo that may be damages, best first: likely enough, of several for one thing the best, and
 * none for which `isPossible` is false.
 */
export function listCandidates<C extends Candidate>(
  boxes: readonly C[],
  isPossible: (one: C) => boolean,
): C[] {
  const chosen: C[] = [];
  for (const one of boxes.toSorted((a, b) => b.confidence - a.confidence)) {
    if (one.confidence < LEAST_CONFIDENCE || chosen.length >= MOST_CANDIDATES) break;
    if (!chosen.some((better) => iou(better.box, one.box) > SAME_THING) && isPossible(one)) chosen.push(one);
  }
  return chosen;
}

/**
 * Returns whether a candidate lies where such damage cannot be; an inspection drops it. `box` in pixels of the raster.
 */
export function isOutOfPlace({ label, box }: Candidate, parts: PartMap, raster: Size): boolean {
  const inside = sumMassInBox(parts, raster, box);
  return isLargelyBeside(box, inside, raster) || isReflection(label, inside) || cannotBeThere(label, inside);
}
