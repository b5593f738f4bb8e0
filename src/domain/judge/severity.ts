import { SEVERITIES, type Severity } from '../damage.ts';

/** Lower bounds of the tiers on the 0 to 10 score (contract decisions, "severity tiers from severity_score"). */
const TIER_FLOOR = { minor: 0, moderate: 2.5, severe: 5, critical: 7.5 } as const satisfies Record<
  Severity,
  number
>;

/** Middle of each tier of the 0 to 10 score. */
const TIER_MIDDLE: Readonly<Record<Severity, number>> = {
  minor: 1.25,
  moderate: 3.75,
  severe: 6.25,
  critical: 8.75,
};

/** Returns the tier of a severity score in [0, 10]. */
export function toSeverity(score: number): Severity {
  if (score >= TIER_FLOOR.critical) return 'critical';
  if (score >= TIER_FLOOR.severe) return 'severe';
  if (score >= TIER_FLOOR.moderate) return 'moderate';
  return 'minor';
}

/** Returns the lower bound of a tier. */
export function lowerBoundOf(severity: Severity): number {
  return TIER_FLOOR[severity];
}

/** Returns the middle score (0 to 10) of a tier, for a severity given only as a word. */
export function findMiddleScore(severity: Severity): number {
  return TIER_MIDDLE[severity];
}

/** Returns the rank of a tier: minor 0 … critical 3. */
export function rankSeverity(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

/** Returns the more severe of two tiers. */
export function chooseWorse(a: Severity, b: Severity): Severity {
  return rankSeverity(a) >= rankSeverity(b) ? a : b;
}
