import { interpolate, roundTo } from '../../lib/numbers.ts';
import type { Condition, Severity } from '../damage.ts';
import { chooseWorse } from './severity.ts';

/** Weight of each severity score, worst damage first, and of all further ones. */
const PENALTY_WEIGHTS = [0.8, 0.22, 0.14, 0.1, 0.07, 0.05] as const;
const LAST_WEIGHT = 0.03;

/**
 * Score by penalty, piecewise linear: 10 minus the penalty down to "fair", then flatter, so that a car with three dents
 * still scores above a wreck (0.0). Chosen on eight walk-arounds. Assumed.
 */
const SCORE_BY_PENALTY = [
  [0, 10],
  [4, 6],
  [9, 2],
  [14, 0],
] as const;

/**
 * Returns the condition of the vehicle, 0 to 10, one decimal: the score of its penalty, which is the sum of all points
 * weighted by rank. `points`: severity scores times confidence. Adding a damage or raising its points never raises the
 * result, because weights decrease along the sorted points.
 */
export function computeConditionScore(points: readonly number[]): number {
  const sorted = [...points].sort((a, b) => b - a);
  const penalty = sorted.reduce((sum, score, i) => sum + score * (PENALTY_WEIGHTS[i] ?? LAST_WEIGHT), 0);
  return roundTo(interpolate(SCORE_BY_PENALTY, penalty), 1);
}

const EXCELLENT_FROM = 9;
/** Highest score below "excellent"; scores have one decimal. */
export const BELOW_EXCELLENT = EXCELLENT_FROM - 0.1;

/** Returns the word for a condition score (contract decisions, "condition_score → word"). */
export function toCondition(score: number): Condition {
  if (score >= EXCELLENT_FROM) return 'excellent';
  if (score >= 7) return 'good';
  if (score >= 5) return 'fair';
  if (score >= 2.5) return 'poor';
  return 'critical';
}

const PART_CONDITION = {
  minor: 'good',
  moderate: 'fair',
  severe: 'poor',
  critical: 'critical',
} as const satisfies Record<Severity, Condition>;

/** Grades a part by its worst damage; three or more minor ones are fair (contract decisions). */
export function computePartCondition(severities: readonly Severity[]): Condition {
  const worst = severities.reduce<Severity>((a, b) => chooseWorse(a, b), 'minor');
  return worst === 'minor' && severities.length >= 3 ? 'fair' : PART_CONDITION[worst];
}
