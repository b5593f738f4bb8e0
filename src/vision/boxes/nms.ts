import { type Box, iou } from '../../domain/geometry.ts';

/** A box with its class (index into the model's labels) and the model's raw score. */
export interface ScoredBox {
  readonly label: number;
  readonly box: Box;
  readonly score: number;
}

/** Comparator by score, descending; ties keep their order. */
export const compareByScore = (a: { readonly score: number }, b: { readonly score: number }): number =>
  b.score - a.score;

/** Iterates over the boxes of which no earlier kept one of the same class is a rival, such as one that overlaps. */
export function* keepUnrivaled<T extends ScoredBox>(
  boxes: readonly T[],
  areRivals: (kept: T, candidate: T) => boolean,
): Generator<T> {
  const keptByLabel = new Map<number, T[]>();
  for (const candidate of boxes) {
    const kept = keptByLabel.get(candidate.label) ?? [];
    if (kept.some((one) => areRivals(one, candidate))) continue;
    keptByLabel.set(candidate.label, kept);
    kept.push(candidate);
    yield candidate;
  }
}

/**
 * Applies greedy non-maximum suppression per class: of boxes that overlap by more than `iouLimit`, the best is kept.
 * All boxes are in one frame. Returns at most `limit` boxes by score, descending.
 */
export function suppress(boxes: readonly ScoredBox[], iouLimit: number, limit: number): ScoredBox[] {
  const kept: ScoredBox[] = [];
  for (const box of keepUnrivaled(boxes.toSorted(compareByScore), (a, b) => iou(a.box, b.box) > iouLimit))
    if (kept.push(box) >= limit) break;
  return kept;
}
