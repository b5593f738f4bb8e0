import { type Box, clamp, iou, type Size } from '../../domain/geometry.ts';
import { compareByScore, type ScoredBox, suppress } from './nms.ts';

/** Raw scores at or below this are discarded; the training recipe measures with the same floor. */
const MIN_SCORE = 0.02;
const MAX_PER_PICTURE = 100;
/** Candidates per class for suppression and voting. */
const MAX_PER_CLASS = 200;

/**
 * Decodes the detector's tensors into boxes after suppression and voting, by score, descending, as fractions (0 to 1)
 * of the picture. `boxes` is [N, 4] as left, top, right, bottom in input pixels, `scores` [N, labelCount]. Boxes of
 * a class that overlap by more than `nms_iou` are merged. Discards NaN values and boxes without area.
 */
export function decodeBoxes(
  boxes: Float32Array,
  scores: Float32Array,
  labelCount: number,
  input: Size,
  { nms_iou }: { readonly nms_iou: number },
): ScoredBox[] {
  const candidates = pickStrongest(boxes, scores, labelCount, input).map((at) => ({
    label: at % labelCount,
    box: readBox(boxes, Math.floor(at / labelCount) * 4, input),
    score: Math.min(1, scores[at] as number),
  }));
  const kept = suppress(candidates, nms_iou, MAX_PER_PICTURE);
  return voteOnBoxes(kept, candidates, nms_iou).sort(compareByScore);
}

/**
 * Returns the indices in `scores` of the strongest valid candidates, by score, descending. Selecting before creating
 * box objects matters, because thousands of scores exceed the floor.
 */
function pickStrongest(boxes: Float32Array, scores: Float32Array, labelCount: number, input: Size): number[] {
  const byLabel = Array.from({ length: labelCount }, (): number[] => []);
  for (let row = 0; row * labelCount < scores.length; row++) {
    const isUsable = hasArea(boxes, row * 4, input);
    for (let label = 0; isUsable && label < labelCount; label++) {
      const at = row * labelCount + label;
      if ((scores[at] as number) > MIN_SCORE) byLabel[label]?.push(at);
    }
  }
  const compareScores = (a: number, b: number) => (scores[b] as number) - (scores[a] as number) || a - b;
  return byLabel
    .flatMap((indices) => indices.sort(compareScores).slice(0, MAX_PER_CLASS))
    .sort(compareScores);
}

/** Returns true if a box has an area; false if a corner is NaN. */
function hasArea(boxes: Float32Array, offset: number, { width, height }: Size): boolean {
  return (
    Math.min(boxes[offset + 2] as number, width) > Math.max(boxes[offset] as number, 0) &&
    Math.min(boxes[offset + 3] as number, height) > Math.max(boxes[offset + 1] as number, 0)
  );
}

function readBox(boxes: Float32Array, offset: number, input: Size): Box {
  const x = clamp((boxes[offset] as number) / input.width, 0, 1);
  const y = clamp((boxes[offset + 1] as number) / input.height, 0, 1);
  const width = clamp((boxes[offset + 2] as number) / input.width, 0, 1) - x;
  const height = clamp((boxes[offset + 3] as number) / input.height, 0, 1) - y;
  return { x, y, width, height };
}

/**
 * Replaces each kept box by the score-weighted mean of the boxes of its class with an IoU of at least `minIou` (Gidaris
 * and Komodakis 2015, "Object detection via a multi-region & semantic segmentation-aware CNN model", section 5.3). The
 * best-scoring box detects a damage best, but its neighbors outline it best. All boxes are in one frame; scores are
 * unchanged.
 */
function voteOnBoxes(
  kept: readonly ScoredBox[],
  candidates: readonly ScoredBox[],
  minIou: number,
): ScoredBox[] {
  return kept.map((winner) => {
    const supporters = candidates.filter(
      ({ label, box }) => label === winner.label && iou(box, winner.box) >= minIou,
    );
    return supporters.length > 1 ? { ...winner, box: meanBox(supporters) } : winner;
  });
}

function meanBox(boxes: readonly ScoredBox[]): Box {
  const mean = { x: 0, y: 0, width: 0, height: 0 };
  const total = boxes.reduce((sum, { score }) => sum + score, 0);
  for (const { box, score } of boxes) {
    const share = score / total;
    mean.x += box.x * share;
    mean.y += box.y * share;
    mean.width += box.width * share;
    mean.height += box.height * share;
  }
  return mean;
}
