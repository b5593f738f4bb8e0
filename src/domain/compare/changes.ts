import { computeConditionScore } from '../grading/condition.ts';
import type { Verdict } from './decide-place.ts';

/** Outcomes of comparing one place, changes first. Where neither visit is certain, it is `to_check`. */
export const CHANGES = [
  'new',
  'changed',
  'repaired',
  'cannot_tell',
  'not_photographed',
  'to_check',
  'unchanged',
] as const;
export type Change = (typeof CHANGES)[number];

/** The two inspections that are compared. */
export const VISITS = ['before', 'after'] as const;
export type VisitName = (typeof VISITS)[number];

/** Converts the verdict on certain damage of a visit to a change of the vehicle. */
export function toChange(verdict: Verdict, visit: VisitName): Change {
  if (verdict === 'same') return 'unchanged';
  if (verdict !== 'absent') return verdict;
  return visit === 'after' ? 'new' : 'repaired';
}

/** Grade points of a place in each visit: severity score, times confidence for places to check. */
interface PlacePoints {
  readonly change: Change;
  readonly before: number | null;
  readonly after: number | null;
}

/**
 * Grades the later visit on the places of the earlier one: new damage counts, changed damage as it is later, repaired
 * damage does not, and everything else counts as before, so an unchanged vehicle keeps its exact grade.
 */
export function gradeSamePlaces(places: readonly PlacePoints[]): number {
  const points = places.map(({ change, before, after }) => {
    if (change === 'repaired') return null;
    return change === 'new' || change === 'changed' ? (after ?? before) : before;
  });
  return computeConditionScore(points.filter((one) => one !== null));
}
