import { type Box, iou } from '../../domain/geometry.ts';
import { compareByScore, type ScoredBox } from './nms.ts';

/**
 * Returns each kept box as the mean, weighted by score, of the boxes of its class that overlap it by at least
 * `leastIou` (Gidaris and Komodakis 2015, "Object detection via a multi-region & semantic segmentation-aware CNN
 * model", section 5.3). The best score finds a damage best, the crowd around it shows best where it ends. Boxes in one
 * frame; at most `mostPerClass` of each class have a vote, best first. Scores stay.
 */
export function voteOnBoxes(
  kept: readonly ScoredBox[],
  candidates: readonly ScoredBox[],
  leastIou: number,
  mostPerClass = 200,
): ScoredBox[] {
  const voters = pickBestOfEachClass(candidates, mostPerClass);
  return kept.map((winner) => {
    const own = voters.get(winner.label) ?? [];
    const agreeing = own.filter((voter) => iou(voter.box, winner.box) >= leastIou);
    return agreeing.length > 1 ? { ...winner, box: meanBox(agreeing) } : winner;
  });
}

function pickBestOfEachClass(candidates: readonly ScoredBox[], most: number): Map<number, ScoredBox[]> {
  const best = new Map<number, ScoredBox[]>();
  for (const candidate of candidates.toSorted(compareByScore)) {
    const own = best.get(candidate.label);
    if (own === undefined) best.set(candidate.label, [candidate]);
    else if (own.length < most) own.push(candidate);
  }
  return best;
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
