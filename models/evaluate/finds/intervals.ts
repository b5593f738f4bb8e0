import { groupBy } from '../../../src/lib/lists.ts';
import { type FindsScore, type PhotoFinds, scoreFinds } from './finds-score.ts';

/** Shares that are given with an interval. */
export const BOUNDED = ['found', 'foundModerateOrWorse', 'precision', 'cleanAlarms'] as const;

/** Lower and upper end of each share; null if the photos cannot tell it. */
export type Intervals = Readonly<
  Record<(typeof BOUNDED)[number], readonly [low: number, high: number] | null>
>;

const ROUNDS = 1000;
/** Share of the resamples that lie inside. */
const COVERAGE = 0.9;

/**
 * Computes 90 % intervals by resampling the groups of photos with replacement, as photos of one vehicle or workshop are
 * alike. The same photos give the same intervals.
 */
export function computeIntervals(photos: readonly PhotoFinds[]): Intervals {
  const groups = [...groupBy(photos, ({ photo }) => photo.group).values()];
  const random = createRandom();
  const scores = Array.from({ length: ROUNDS }, () =>
    scoreFinds(groups.flatMap(() => groups[Math.floor(random() * groups.length)] ?? [])),
  );
  return Object.fromEntries(BOUNDED.map((share) => [share, findEnds(scores, share)])) as Intervals;
}

function findEnds(scores: readonly FindsScore[], share: keyof Intervals): readonly [number, number] | null {
  const values = scores.flatMap((score) => score[share] ?? []).sort((a, b) => a - b);
  const at = (part: number) => values[Math.round(part * (values.length - 1))];
  const [low, high] = [at((1 - COVERAGE) / 2), at((1 + COVERAGE) / 2)];
  return low === undefined || high === undefined ? null : [low, high];
}

/** Numbers from 0 to 1 that are the same in every run (Lehmer's generator modulo 2^31 - 1, multiplier 48271). */
function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
