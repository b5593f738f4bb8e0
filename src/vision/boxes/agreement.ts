import { iou } from '../../domain/geometry.ts';
import type { ScoredBox } from './nms.ts';

/** One of the networks of a detector whose rows follow one another. */
export interface Member {
  readonly rows: number;
  /** Its share of a score; the shares of all members add up to 1. */
  readonly weight: number;
}

/** A candidate and the member (index) that it comes from. */
interface MemberBox extends ScoredBox {
  readonly member: number;
}

/** Returns the index of the member that a row belongs to. */
export function findMemberOfRow(row: number, members: readonly Member[]): number {
  let end = 0;
  const found = members.findIndex(({ rows }) => {
    end += rows;
    return row < end;
  });
  return Math.max(0, found);
}

/**
 * Returns the score of each kept box as all members see it: a candidate backs the best kept box of its class that it
 * overlaps by at least `leastIou`, and a kept box scores the sum over the members of weight times their best backer.
 * What only one network sees therefore counts for less. `kept` best first.
 */
export function computeAgreedScores(
  kept: readonly ScoredBox[],
  candidates: readonly MemberBox[],
  members: readonly Member[],
  leastIou: number,
): number[] {
  const backings = kept.map(({ label, box }) => ({ label, box, scores: members.map(() => 0) }));
  const byLabel = new Map<number, typeof backings>();
  for (const one of backings) byLabel.set(one.label, [...(byLabel.get(one.label) ?? []), one]);
  for (const { label, box, score, member } of candidates) {
    const backed = byLabel.get(label)?.find((one) => iou(one.box, box) >= leastIou);
    if (backed !== undefined) backed.scores[member] = Math.max(backed.scores[member] ?? 0, score);
  }
  return backings.map(({ scores }) =>
    members.reduce((sum, { weight }, member) => sum + weight * (scores[member] ?? 0), 0),
  );
}
