import { type Box, iou, type Size } from '../../domain/geometry.ts';
import { computeAgreedScores, findMemberOfRow, type Member } from './agreement.ts';
import { compareByScore, type ScoredBox, suppress } from './nms.ts';

/** Raw scores at or below this are never a finding; the recipe measures its models with the same floor. */
const LOWEST_SCORE = 0.02;
const MOST_PER_PICTURE = 100;
/** Candidates of a class that suppression and voting look at. */
const MOST_PER_CLASS = 200;
const SCORE_BINS = 1024;

/** How a detector's rows become boxes. */
interface BoxRules {
  /** Overlap above which boxes of a class are one. */
  readonly nms_iou: number;
  /** The networks whose rows follow one another; without them all rows are of one. */
  readonly members?: readonly Member[] | undefined;
}

/**
 * Decodes the detector's tensors into boxes after suppression and voting, best first, as fractions (0 to 1) of the
 * picture. `boxes` is [N, 4] as left, top, right, bottom in input pixels, `scores` [N, labelCount]. Values that
 * are not numbers, and boxes without area, are left out.
 */
export function decodeBoxes(
  boxes: Float32Array,
  scores: Float32Array,
  labelCount: number,
  input: Size,
  { nms_iou, members = [] }: BoxRules,
): ScoredBox[] {
  const candidates = pickStrongest(boxes, scores, labelCount, input).map((at) => {
    const row = Math.floor(at / labelCount);
    return {
      label: at % labelCount,
      box: readBox(boxes, row * 4, input),
      score: Math.min(1, scores[at] as number),
      member: findMemberOfRow(row, members),
    };
  });
  const kept = suppress(candidates, nms_iou, MOST_PER_PICTURE);
  const agreed = members.length > 1 ? computeAgreedScores(kept, candidates, members, nms_iou) : undefined;
  return voteOnBoxes(kept, candidates, nms_iou)
    .map(({ label, box, score }, k) => ({ label, box, score: agreed?.[k] ?? score }))
    .sort(compareByScore);
}

/**
 * Returns the positions in `scores` of the usable candidates that suppression and voting look at, best first. Thousands
 * score above the floor and few count, so only these become objects.
 */
function pickStrongest(boxes: Float32Array, scores: Float32Array, labelCount: number, input: Size): number[] {
  const byLabel = Array.from({ length: labelCount }, (): number[] => []);
  for (let row = 0; row * labelCount < scores.length; row++) {
    const usable = hasArea(boxes, row * 4, input);
    for (let label = 0; usable && label < labelCount; label++) {
      const at = row * labelCount + label;
      if ((scores[at] as number) > LOWEST_SCORE) byLabel[label]?.push(at);
    }
  }
  const better = (a: number, b: number) => (scores[b] as number) - (scores[a] as number) || a - b;
  return byLabel
    .flatMap((own) => pickContenders(own, scores).sort(better).slice(0, MOST_PER_CLASS))
    .sort(better);
}

/**
 * Returns the best `MOST_PER_CLASS` and few more: counted into bins by score, as sorting thousands to keep these took a
 * third of the time that a run's boxes take.
 */
function pickContenders(own: number[], scores: Float32Array): number[] {
  if (own.length <= MOST_PER_CLASS) return own;
  const counts = new Uint32Array(SCORE_BINS + 1);
  for (const at of own) (counts[chooseBin(scores[at] as number)] as number)++;
  let least = SCORE_BINS;
  for (let above = counts[least] as number; above < MOST_PER_CLASS; above += counts[least] as number) least--;
  return own.filter((at) => chooseBin(scores[at] as number) >= least);
}

function chooseBin(score: number): number {
  return Math.min(SCORE_BINS, Math.floor(score * SCORE_BINS));
}

/** Returns whether a box has an area; false as well where a corner is not a number. */
function hasArea(boxes: Float32Array, row: number, { width, height }: Size): boolean {
  return (
    Math.min(boxes[row + 2] as number, width) > Math.max(boxes[row] as number, 0) &&
    Math.min(boxes[row + 3] as number, height) > Math.max(boxes[row + 1] as number, 0)
  );
}

function readBox(boxes: Float32Array, row: number, input: Size): Box {
  const x = clamp((boxes[row] as number) / input.width);
  const y = clamp((boxes[row + 1] as number) / input.height);
  const width = clamp((boxes[row + 2] as number) / input.width) - x;
  const height = clamp((boxes[row + 3] as number) / input.height) - y;
  return { x, y, width, height };
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}

/**
 * Returns each kept box as the mean, weighted by score, of the boxes of its class that overlap it by at least
 * `leastIou` (Gidaris and Komodakis 2015, "Object detection via a multi-region & semantic segmentation-aware CNN
 * model", section 5.3). The best score finds a damage best, the crowd around it shows best where it ends. Boxes in one
 * frame. Scores stay.
 */
export function voteOnBoxes(
  kept: readonly ScoredBox[],
  candidates: readonly ScoredBox[],
  leastIou: number,
): ScoredBox[] {
  return kept.map((winner) => {
    const agreeing = candidates.filter(
      ({ label, box }) => label === winner.label && iou(box, winner.box) >= leastIou,
    );
    return agreeing.length > 1 ? { ...winner, box: meanBox(agreeing) } : winner;
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
