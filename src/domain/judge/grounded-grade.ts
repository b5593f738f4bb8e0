import { roundTo } from '../../lib/round.ts';
import type { Condition } from '../damage.ts';
import type { RequiredView } from '../sight/coverage.ts';
import { computeConditionScore, toCondition } from './condition.ts';

/** How much of a vehicle a grade rests on. */
interface Grounds {
  /** Share of the parts that are seen well enough, 0 to 1. */
  readonly share: number;
  /** Sides that are not seen sharp and near enough. */
  readonly sidesMissing: readonly RequiredView[];
}

export interface GroundedGrade {
  /** 0 to 10, one decimal. */
  readonly score: number;
  readonly condition: Condition;
  readonly code: 'every_side_seen' | 'parts_seen' | 'too_little_seen';
  /** The score was brought down, because nobody can say "excellent" of what was not seen. */
  readonly capped: boolean;
}

/** The best score below "excellent". */
const BELOW_EXCELLENT = 8.9;
/** Share of the parts under which a grade says nothing of the vehicle. Assumed: less than one side of four. */
const TOO_LITTLE = 0.2;

/**
 * Returns the grade of a vehicle by the points of its damages (`computeConditionScore`) and by how much of it was seen;
 * more seen never lowers it.
 */
export function gradeVehicle(points: readonly number[], grounds: Grounds): GroundedGrade {
  const whole = grounds.sidesMissing.length === 0;
  const uncapped = computeConditionScore(points);
  const score = whole ? uncapped : Math.min(uncapped, BELOW_EXCELLENT);
  const code = whole ? 'every_side_seen' : grounds.share < TOO_LITTLE ? 'too_little_seen' : 'parts_seen';
  return { score, condition: toCondition(score), code, capped: score < uncapped };
}

/** Confidence of a finding "nothing here" on a fully photographed car: what a clean photo is worth. Assumed. */
const CLEAN_CONFIDENCE = 0.85;
/** What is left of a statement on a vehicle of which hardly a part was seen. Assumed. */
const LEAST_WORTH = 0.2;

/**
 * Returns how sure the whole statement is, 0 to 1: the mean of the finds' confidences (or the confidence that there is
 * no damage), lowered in proportion to the share of the parts that was not seen, and by the chance that the surest
 * place to check, which the statement leaves out, is damage.
 */
export function computeOverallConfidence(
  confidences: readonly number[],
  share: number,
  toCheck: readonly number[] = [],
): number {
  const finds = confidences.length
    ? confidences.reduce((all, one) => all + one, 0) / confidences.length
    : CLEAN_CONFIDENCE;
  const seen = LEAST_WORTH + (1 - LEAST_WORTH) * share;
  return roundTo(finds * seen * (1 - Math.max(0, ...toCheck)), 2);
}
