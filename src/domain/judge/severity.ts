import { SEVERITIES, type Severity } from '../damage.ts';

type ScoreOfTier = Readonly<Record<Severity, number>>;

/** Lower bounds of the tiers on the 0 to 10 score (contract decisions, "severity tiers from severity_score"). */
export const LOWEST_SCORE: ScoreOfTier = { minor: 0, moderate: 2.5, severe: 5, critical: 7.5 };

/** Middle of each tier, for a severity given only as a word. */
export const MIDDLE_SCORE: ScoreOfTier = { minor: 1.25, moderate: 3.75, severe: 6.25, critical: 8.75 };

/** Returns the tier of a severity score in [0, 10]. */
export function toSeverity(score: number): Severity {
  return SEVERITIES.findLast((tier) => score >= LOWEST_SCORE[tier]) ?? 'minor';
}

/** Returns the rank of a tier: minor 0 … critical 3. */
export function rankSeverity(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

/** Returns the more severe of two tiers. */
export function chooseWorse(a: Severity, b: Severity): Severity {
  return rankSeverity(a) >= rankSeverity(b) ? a : b;
}
