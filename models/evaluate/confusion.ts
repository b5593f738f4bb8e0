import { type Box, iou } from '../../src/domain/geometry.ts';

interface Labelled {
  readonly label: string;
  readonly box: Box;
}

/** Row of false positives, column of missed boxes. */
const NOTHING = 'nothing';

/** Counts by true class (outer key) and predicted class (inner key). */
export type Confusion = Record<string, Record<string, number>>;

/**
 * Adds one image: each finding (best first) of any class takes the free box with the largest overlap of at least one
 * half, preferring its own class. The remaining boxes are missed, the remaining findings false positives.
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

function addCount(counts: Confusion, actual: string, predicted: string): void {
  counts[actual] ??= {};
  const row = counts[actual];
  row[predicted] = (row[predicted] ?? 0) + 1;
}
