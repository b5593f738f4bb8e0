import type { PartMap, SegmentLabel } from '../../domain/sight/detection.ts';

/** Logits this far below the highest do not change a certainty of 8 bits. */
const FAR_BELOW = -16;

/** The decoded map in cells; `bestLabels` indexes the labels of the manifest. */
export type PartCells = Omit<PartMap, 'labels'>;

/**
 * Decodes the segmenter's logits ([labels, height, width], before softmax) into the best label per cell and its
 * probability, 0 to 255. Cells with invalid numbers become background with certainty 0.
 */
export function decodeParts(
  logits: Float32Array,
  labels: readonly SegmentLabel[],
  width: number,
  height: number,
): PartCells {
  const cells = width * height;
  const best = new Uint8Array(cells);
  const certainty = new Uint8Array(cells);
  for (let cell = 0; cell < cells; cell++) {
    let bestLabel = 0;
    let highest = Number.NEGATIVE_INFINITY;
    for (let label = 0, at = cell; label < labels.length; label++, at += cells) {
      const value = logits[at] as number;
      if (value > highest) {
        highest = value;
        bestLabel = label;
      }
    }
    let sum = 0;
    for (let label = 0, at = cell; label < labels.length; label++, at += cells) {
      const below = (logits[at] as number) - highest;
      // Negated so that NaN propagates.
      if (!(below < FAR_BELOW)) sum += Math.exp(below);
    }
    const probability = 1 / sum;
    if (!Number.isFinite(probability)) continue;
    best[cell] = bestLabel;
    certainty[cell] = Math.round(255 * probability);
  }
  return { width, height, bestLabels: best, certainty };
}
