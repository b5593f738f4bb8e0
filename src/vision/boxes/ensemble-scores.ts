import { iou } from '../../domain/geometry.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { ScoredBox } from './nms.ts';

/** A network of an ensemble detector, whose members' rows are concatenated. */
export interface Member {
  readonly rows: number;
  /** Weight in a score; the weights of all members add up to 1. */
  readonly weight: number;
}

/** A candidate and the index of its member. */
interface MemberBox extends ScoredBox {
  readonly member: number;
}

/** Returns the index of the member to which a row belongs. */
export function findMemberOfRow(row: number, members: readonly Member[]): number {
  let end = 0;
  const found = members.findIndex(({ rows }) => {
    end += rows;
    return row < end;
  });
  return Math.max(0, found);
}

/**
 * Computes the ensemble score of each kept box. Each candidate supports the best kept box of its class with an IoU of
 * at least `leastIou`; the score is the weighted sum of each member's best support. Detections by a single network
 * therefore score lower. `kept` is sorted by score, descending.
 */
export function computeAgreedScores(
  kept: readonly ScoredBox[],
  candidates: readonly MemberBox[],
  members: readonly Member[],
  minIou: number,
): number[] {
  const supports = kept.map(({ label, box }) => ({ label, box, scores: members.map(() => 0) }));
  const byLabel = groupBy(supports, (one) => one.label);
  for (const { label, box, score, member } of candidates) {
    const supported = byLabel.get(label)?.find((one) => iou(one.box, box) >= minIou);
    if (supported !== undefined) supported.scores[member] = Math.max(supported.scores[member] ?? 0, score);
  }
  return supports.map(({ scores }) =>
    members.reduce((sum, { weight }, member) => sum + weight * (scores[member] ?? 0), 0),
  );
}
