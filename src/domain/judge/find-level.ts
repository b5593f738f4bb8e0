import type { Limits } from '../sight/detection.ts';

export type FindLevel = 'certain' | 'to_check' | 'unlisted';

/**
 * The level of a find. `minConfidence`, where somebody asked for one, decides what is listed in place of the limit to
 * check; it never makes a find certain.
 */
export function levelOf(confidence: number, limits: Limits, minConfidence: number | null): FindLevel {
  if (confidence < (minConfidence ?? limits.toCheck)) return 'unlisted';
  return confidence >= limits.certain ? 'certain' : 'to_check';
}
