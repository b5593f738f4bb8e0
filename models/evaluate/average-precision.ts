import type { Box } from '../../src/domain/geometry.ts';
import { compareByScore } from '../../src/vision/boxes/nms.ts';
import { MAX_FINDINGS, match, type Truth, type Verdict } from './match.ts';

/** One image, reduced to one class. */
export interface ClassImage {
  readonly found: readonly { readonly box: Box; readonly score: number }[];
  readonly truths: readonly Truth[];
}

/** IoU thresholds of AP50:95. */
export const COCO_IOUS = Array.from({ length: 10 }, (_, i) => 0.5 + 0.05 * i);
const RECALL_POINTS = Array.from({ length: 101 }, (_, i) => i / 100);

/**
 * Computes the average precision of one class according to COCO (101 recall points, at most 100 findings per image).
 * Omit images whose source does not label the class. Undefined without any box.
 */
export function computeAveragePrecision(images: readonly ClassImage[], minIou: number): number | undefined {
  const boxes = countBoxes(images);
  if (boxes === 0) return undefined;
  const matches = images
    .flatMap((image) => matchFindings(image, minIou))
    .filter(({ verdict }) => verdict !== 'ignored')
    .sort(compareByScore);
  const precisions: number[] = [];
  const recalls: number[] = [];
  let hits = 0;
  for (const [i, { verdict }] of matches.entries()) {
    if (verdict === 'hit') hits++;
    precisions.push(hits / (i + 1));
    recalls.push(hits / boxes);
  }
  for (let i = precisions.length - 2; i >= 0; i--) {
    precisions[i] = Math.max(precisions[i] as number, precisions[i + 1] as number);
  }
  let at = 0;
  const sum = RECALL_POINTS.reduce((total, recall) => {
    while (at < recalls.length && (recalls[at] as number) < recall) at++;
    return total + (precisions[at] ?? 0);
  }, 0);
  return sum / RECALL_POINTS.length;
}

/** Returns the findings of one image that COCO counts, best first, with their verdicts. */
export function matchFindings<F extends { readonly box: Box; readonly score: number }>(
  { found, truths }: { readonly found: readonly F[]; readonly truths: readonly Truth[] },
  minIou: number,
): (F & { readonly verdict: Verdict })[] {
  const top = found.toSorted(compareByScore).slice(0, MAX_FINDINGS);
  const verdicts = match(
    top.map(({ box }) => box),
    truths,
    minIou,
  );
  return top.map((one, i) => ({ ...one, verdict: verdicts[i] as Verdict }));
}

/** Counts the ground-truth boxes, without crowds. */
export function countBoxes(images: readonly Pick<ClassImage, 'truths'>[]): number {
  return images.reduce((sum, { truths }) => sum + truths.filter(({ crowd }) => !crowd).length, 0);
}
