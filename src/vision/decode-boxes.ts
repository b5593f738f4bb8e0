import type { Size } from '../domain/geometry.ts';
import { voteOnBoxes } from './box-voting.ts';
import { byScore, type ScoredBox, suppress } from './nms.ts';

/** Raw scores at or below this are never a finding; the recipe measures its models with the same floor. */
export const LOWEST_SCORE = 0.02;
const MOST_PER_PICTURE = 100;

/**
 * The detector's tensors → boxes after suppression and voting, best first, in parts (0 to 1) of the picture it was shown.
 * `boxes` is [N, 4] as left, top, right, bottom in input pixels, `scores` [N, labelCount]. Values that are no number,
 * and boxes without area, are left out.
 */
export function decodeBoxes(
  boxes: Float32Array,
  scores: Float32Array,
  labelCount: number,
  input: Size,
  nmsIou: number,
): ScoredBox[] {
  const found: ScoredBox[] = [];
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at] as number;
    if (!(score > LOWEST_SCORE)) continue;
    const row = Math.floor(at / labelCount) * 4;
    const left = clamp((boxes[row] as number) / input.width);
    const top = clamp((boxes[row + 1] as number) / input.height);
    const width = clamp((boxes[row + 2] as number) / input.width) - left;
    const height = clamp((boxes[row + 3] as number) / input.height) - top;
    if (!(width > 0 && height > 0)) continue;
    found.push({
      label: at % labelCount,
      box: { x: left, y: top, width, height },
      score: Math.min(1, score),
    });
  }
  const kept = suppress(found, nmsIou).sort(byScore).slice(0, MOST_PER_PICTURE);
  return voteOnBoxes(kept, found, nmsIou);
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}
