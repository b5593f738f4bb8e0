import { SEVERITIES, type Severity } from '../damage.ts';

type ScoreOfTier = Readonly<Record<Severity, number>>;

/** Lower bounds of the tiers on the 0 to 10 score (contract decisions, "severity tiers from severity_score"). */
export const LOWEST_SCORE: ScoreOfTier = { minor: 0, moderate: 2.5, severe: 5, critical: 7.5 };

/** Highest score of each tier that a rule gives. */
export const HIGHEST_SCORE: ScoreOfTier = { minor: 2.4, moderate: 4.9, severe: 7.4, critical: 10 };

/** Middle of each tier, for a severity given only as a word. */
export const MIDDLE_SCORE: ScoreOfTier = { minor: 1.25, moderate: 3.75, severe: 6.25, critical: 8.75 };

/** Returns the tier of a severity score in [0, 10]. */
export const toSeverity = (score: number): Severity =>
  SEVERITIES.findLast((tier) => score >= LOWEST_SCORE[tier]) ?? 'minor';

/** Returns a rule's score if it lies in the stated tier, else the tier's lowest or highest score by rule. */
export const fitScore = (severity: Severity, score: number): number =>
  toSeverity(score) === severity
    ? score
    : Math.min(HIGHEST_SCORE[severity], Math.max(LOWEST_SCORE[severity], score));

/** Returns the rank of a tier: minor 0 … critical 3. */
export const rankSeverity = (severity: Severity): number => SEVERITIES.indexOf(severity);

/** Returns the more severe of two tiers. */
export const chooseWorse = (a: Severity, b: Severity): Severity =>
  rankSeverity(a) >= rankSeverity(b) ? a : b;
