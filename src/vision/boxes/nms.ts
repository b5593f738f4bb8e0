import { type Box, iou } from '../../domain/geometry.ts';

/** A box with its class (index into the model's labels) and the model's raw score. */
export interface ScoredBox {
  readonly label: number;
  readonly box: Box;
  readonly score: number;
}

/** Comparator by score, descending; ties keep their order. */
export function compareByScore(a: { readonly score: number }, b: { readonly score: number }): number {
  return b.score - a.score;
}

/**
 * Applies greedy non-maximum suppression per class: of boxes that overlap by more than `iouLimit`, the best is kept.
 * All boxes are in one frame. Returns at most `limit` boxes by score, descending.
 */
export function suppress<T extends ScoredBox>(
  boxes: readonly T[],
  iouLimit: number,
  limit = Number.POSITIVE_INFINITY,
): T[] {
  const kept = new Map<number, T[]>();
  const result: T[] = [];
  for (const candidate of boxes.toSorted(compareByScore)) {
    const rivals = kept.get(candidate.label);
    if (rivals === undefined) kept.set(candidate.label, [candidate]);
    else if (rivals.some((rival) => iou(rival.box, candidate.box) > iouLimit)) continue;
    else rivals.push(candidate);
    result.push(candidate);
    if (result.length >= limit) break;
  }
  return result;
}
