import type { Limits } from '../sight/detection.ts';

export type FindingLevel = 'certain' | 'to_check' | 'unlisted';

/**
 * Returns the level of a finding. A requested `minConfidence` replaces the listing threshold but never makes a finding
 * certain. A finding that is usually an intact pane or lamp is never certain, and is listed to be checked only from the
 * confidence at which another finding is certain.
 */
export function chooseLevel(
  { confidence, usuallyNoDamage }: { readonly confidence: number; readonly usuallyNoDamage: boolean },
  limits: Limits,
  minConfidence: number | null,
): FindingLevel {
  const minimum = minConfidence ?? (usuallyNoDamage ? limits.certain : limits.toCheck);
  if (confidence < minimum) return 'unlisted';
  return confidence >= limits.certain && !usuallyNoDamage ? 'certain' : 'to_check';
}
