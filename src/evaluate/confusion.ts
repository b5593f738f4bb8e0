import { type Box, iou } from '../domain/geometry.ts';

interface Labelled {
  readonly label: string;
  readonly box: Box;
}

/** Row of findings where nothing is, column of boxes that nothing was found at. */
const NOTHING = 'nothing';

/** Counts by what is there (outer key) and what was said (inner key). */
export type Confusion = Record<string, Record<string, number>>;

/**
 * Adds one image: findings (best first), whatever their class, each take the free box they overlap most, by at least
 * one half, a box of their own class before others. What is left over was missed, or found where nothing is.
 */
export function addToConfusion(
  counts: Confusion,
  found: readonly Labelled[],
  truths: readonly Labelled[],
): void {
  const free = new Set(truths);
  for (const finding of found) {
    const near = [...free].filter((truth) => iou(truth.box, finding.box) >= 0.5);
    const same = near.filter((truth) => truth.label === finding.label);
    const best = (same.length > 0 ? same : near).reduce<Labelled | undefined>(
      (top, truth) =>
        top !== undefined && iou(top.box, finding.box) >= iou(truth.box, finding.box) ? top : truth,
      undefined,
    );
    if (best !== undefined) free.delete(best);
    addCount(counts, best?.label ?? NOTHING, finding.label);
  }
  for (const { label } of free) addCount(counts, label, NOTHING);
}

function addCount(counts: Confusion, there: string, said: string): void {
  counts[there] ??= {};
  const row = counts[there];
  row[said] = (row[said] ?? 0) + 1;
}
