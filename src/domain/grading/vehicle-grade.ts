import type { Condition } from '../damage.ts';
import type { RequiredView } from '../sight/walk-around.ts';
import { BELOW_EXCELLENT, computeConditionScore, toCondition } from './condition.ts';

/** Coverage that a grade is based on. */
interface CoverageSummary {
  /** Share of the parts seen well enough, 0 to 1. */
  readonly share: number;
  /** Sides not seen sharply and closely enough. */
  readonly missingSides: readonly RequiredView[];
}

export interface VehicleGrade {
  /** 0 to 10, one decimal. */
  readonly score: number;
  readonly condition: Condition;
  readonly code: 'every_side_seen' | 'parts_seen' | 'too_little_seen';
  /** True if the score was capped, because unseen sides cannot be called excellent. */
  readonly isCapped: boolean;
}

/** Minimum share of seen parts for a grade of the vehicle. Assumed: less than one side of four. */
const MIN_SHARE = 0.2;

/** Grades a vehicle by the points of its damages and its coverage; more coverage never lowers the grade. */
export function gradeVehicle(points: readonly number[], coverage: CoverageSummary): VehicleGrade {
  const { share, missingSides } = coverage;
  const isComplete = missingSides.length === 0;
  const uncapped = computeConditionScore(points);
  const score = isComplete ? uncapped : Math.min(uncapped, BELOW_EXCELLENT);
  const code = isComplete ? 'every_side_seen' : share < MIN_SHARE ? 'too_little_seen' : 'parts_seen';
  return { score, condition: toCondition(score), code, isCapped: score < uncapped };
}
