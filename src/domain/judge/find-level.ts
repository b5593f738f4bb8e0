import type { Limits } from '../sight/detection.ts';

export type FindLevel = 'certain' | 'to_check' | 'unlisted';

/**
 * Returns the level of a find. `minConfidence`, where somebody asked for one, decides what is listed in place of the
 * limit to check; it never makes a find certain. A find that is usually an intact pane or lamp is never certain, and is
 * listed to be checked only from the confidence at which another find is certain.
 */
export function judgeLevel(
  { confidence, usuallyNoDamage }: { readonly confidence: number; readonly usuallyNoDamage: boolean },
  limits: Limits,
  minConfidence: number | null,
): FindLevel {
  const least = minConfidence ?? (usuallyNoDamage ? limits.certain : limits.toCheck);
  if (confidence < least) return 'unlisted';
  return confidence >= limits.certain && !usuallyNoDamage ? 'certain' : 'to_check';
}
