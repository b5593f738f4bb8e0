import { roundTo } from '../../lib/round.ts';
import type { Condition } from '../damage.ts';
import type { RequiredView } from '../sight/coverage.ts';
import { computeConditionScore, toCondition } from './condition.ts';

/** Coverage that a grade is based on. */
interface Grounds {
  /** Share of the parts seen well enough, 0 to 1. */
  readonly share: number;
  /** Sides not seen sharply and closely enough. */
  readonly sidesMissing: readonly RequiredView[];
}

export interface GroundedGrade {
  /** 0 to 10, one decimal. */
  readonly score: number;
  readonly condition: Condition;
  readonly code: 'every_side_seen' | 'parts_seen' | 'too_little_seen';
  /** True if the score was capped, because unseen sides cannot be called excellent. */
  readonly capped: boolean;
}

/** Highest score below "excellent". */
const BELOW_EXCELLENT = 8.9;
/** Minimum share of seen parts for a grade of the vehicle. Assumed: less than one side of four. */
const TOO_LITTLE = 0.2;

/**
 * Grades a vehicle by the points of its damages (`computeConditionScore`) and its coverage; more coverage never lowers
 * the grade.
 */
export function gradeVehicle(points: readonly number[], grounds: Grounds): GroundedGrade {
  const whole = grounds.sidesMissing.length === 0;
  const uncapped = computeConditionScore(points);
  const score = whole ? uncapped : Math.min(uncapped, BELOW_EXCELLENT);
  const code = whole ? 'every_side_seen' : grounds.share < TOO_LITTLE ? 'too_little_seen' : 'parts_seen';
  return { score, condition: toCondition(score), code, capped: score < uncapped };
}

/** Confidence of "no damage" on a fully photographed car, i.e. the value of a clean photo. Assumed. */
const CLEAN_CONFIDENCE = 0.85;
/** Minimum factor for coverage, at nearly no seen parts. Assumed. */
const MIN_WORTH = 0.2;

/**
 * Returns the overall confidence, 0 to 1: the mean of the findings' confidences (or the confidence of "no damage"),
 * reduced by the share of unseen parts and by the probability that the most likely place to check, which the result
 * leaves out, is damage.
 */
export function computeOverallConfidence(
  confidences: readonly number[],
  share: number,
  toCheck: readonly number[] = [],
): number {
  const findings = confidences.length
    ? confidences.reduce((all, one) => all + one, 0) / confidences.length
    : CLEAN_CONFIDENCE;
  const seen = MIN_WORTH + (1 - MIN_WORTH) * share;
  return roundTo(findings * seen * (1 - Math.max(0, ...toCheck)), 2);
}
