import type { PartMap, SegmentLabel } from '../domain/detection.ts';

/**
 * The segmenter's logits ([labels, height, width], before softmax) → best label per cell and its probability in
 * 0 to 255. A cell without a usable number is background with certainty 0.
 */
export function decodeParts(
  logits: Float32Array,
  labels: readonly SegmentLabel[],
  width: number,
  height: number,
): PartMap {
  const cells = width * height;
  const best = new Uint8Array(cells);
  const certainty = new Uint8Array(cells);
  for (let cell = 0; cell < cells; cell++) {
    let top = 0;
    let highest = Number.NEGATIVE_INFINITY;
    for (let label = 0, at = cell; label < labels.length; label++, at += cells) {
      const value = logits[at] as number;
      if (value > highest) {
        highest = value;
        top = label;
      }
    }
    let sum = 0;
    for (let label = 0, at = cell; label < labels.length; label++, at += cells)
      sum += Math.exp((logits[at] as number) - highest);
    const probability = 1 / sum;
    if (!Number.isFinite(probability)) continue;
    best[cell] = top;
    certainty[cell] = Math.round(255 * probability);
  }
  return { labels, width, height, best, certainty };
}
