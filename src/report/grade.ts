import type { InspectionEnvelope, InspectionResults } from '../contract/inspection.ts';
import type { Condition } from '../domain/damage.ts';

/** Fields of a result that hold its grade. */
export type Graded = Pick<InspectionResults, 'overall_condition' | 'condition_score' | 'grade_basis'>;

/** Returns true if the photos appear to show several vehicles, which invalidates grade and price. */
export const hasSeveralVehicles = ({ grade_basis }: Pick<Graded, 'grade_basis'>): boolean =>
  (grade_basis.vehicles ?? 1) > 1;

/** Returns false if the photos show too little of the vehicle for a grade. */
export const isGraded = ({ grade_basis }: Pick<Graded, 'grade_basis'>): boolean =>
  grade_basis.code !== 'too_little_seen';

/** Returns the condition if all to check is damage; null if that changes nothing, without a grade, or for several vehicles. */
export function findWorseCondition(results: Graded): Condition | null {
  const all = results.grade_basis.if_all_confirmed;
  if (all === undefined || !isGraded(results) || hasSeveralVehicles(results)) return null;
  return all.condition === results.overall_condition ? null : all.condition;
}

/** Returns false if the photos appear to show several vehicles, for which there is no common price. */
export function showsPrices(inspection: InspectionEnvelope | null): boolean {
  const results = inspection?.data.results;
  return !(results && hasSeveralVehicles(results));
}
