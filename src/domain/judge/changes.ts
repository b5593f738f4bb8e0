import { computeConditionScore } from './condition.ts';
import type { Verdict } from './decide-place.ts';

/** Outcomes of comparing one location, changes first. */
export const CHANGES = [
  'new',
  'worse',
  'repaired',
  'perhaps_new',
  'perhaps_repaired',
  'cannot_tell',
  'not_seen',
  'probably_unchanged',
  'unchanged',
] as const;
export type Change = (typeof CHANGES)[number];

/**
 * Converts the verdict on one visit's finding to a change of the vehicle; for a place to check, only to a possible one.
 */
export function toChange(verdict: Verdict, visit: 'before' | 'after', isCertain: boolean): Change {
  if (verdict === 'same') return 'unchanged';
  if (verdict === 'probably_same') return 'probably_unchanged';
  if (verdict !== 'absent') return verdict;
  const change = visit === 'after' ? 'new' : 'repaired';
  return isCertain ? change : `perhaps_${change}`;
}

/** Grade points of a location in each visit: severity score, times confidence for places to check. */
interface PlacePoints {
  readonly change: Change;
  readonly before: number | null;
  readonly after: number | null;
}

/**
 * Grades the later visit on the locations of the earlier one: new or worse damage counts, repaired damage does not, and
 * everything else counts as before, so an unchanged vehicle keeps its exact grade.
 */
export function gradeSamePlaces(places: readonly PlacePoints[]): number {
  const points = places.map(({ change, before, after }) => {
    if (change === 'repaired') return null;
    if (change === 'new') return after;
    return change === 'worse' ? Math.max(before ?? 0, after ?? 0) : before;
  });
  return computeConditionScore(points.filter((one) => one !== null));
}
