import { iou, type Size } from '../../domain/geometry.ts';
import type { PartMap } from '../../domain/sight/detection.ts';
import { sumMassInBox } from '../../domain/sight/part-map.ts';
import { cannotOccur } from '../../domain/sight/plausible.ts';
import type { Candidate } from './evidence.ts';

/** Boxes below this calibrated confidence are almost never damage. */
const MIN_CONFIDENCE = 0.008;
/** Maximum number of candidates per photo, by confidence; a wreck has dozens. */
const MAX_CANDIDATES = 32;
/** Of boxes with a higher IoU, only the best is a candidate; the result keeps one of them anyway. */
const MAX_IOU = 0.65;

/**
 * Lists the possible damages of a photo by confidence, descending: confident enough, without duplicates, and accepted
 * by `isPossible`.
 */
export function listCandidates<C extends Candidate>(
  boxes: readonly C[],
  isPossible: (one: C) => boolean,
): C[] {
  const accepted: C[] = [];
  for (const one of boxes.toSorted((a, b) => b.confidence - a.confidence)) {
    if (one.confidence < MIN_CONFIDENCE || accepted.length >= MAX_CANDIDATES) break;
    if (!accepted.some((better) => iou(better.box, one.box) > MAX_IOU) && isPossible(one)) accepted.push(one);
  }
  return accepted;
}

/**
 * Returns true for damage that is impossible at its location; inspections drop it. `box` is in pixels of the raster.
 */
export function isImpossible({ label, box }: Candidate, parts: PartMap, raster: Size): boolean {
  return cannotOccur(label, sumMassInBox(parts, raster, box));
}
