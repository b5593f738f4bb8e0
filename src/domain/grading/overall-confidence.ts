import { meanBy } from '../../lib/lists.ts';
import { roundTo } from '../../lib/numbers.ts';

/** Confidence of "no damage" on a fully photographed car, i.e. the value of a clean photo. Assumed. */
const CLEAN_CONFIDENCE = 0.85;
/** Coverage factor when almost no part is seen. Assumed. */
const MIN_COVERAGE_FACTOR = 0.2;

/**
 * Returns the overall confidence, 0 to 1, reduced where few parts are seen (`seenShare`, 0 to 1): how clear-cut the
 * findings are on average (0.3 means undamaged with 0.7), or the confidence of "no damage". `confidences` covers damages
 * and places to check alike, so a finding that crosses the threshold between them changes nothing.
 */
export function computeOverallConfidence(confidences: readonly number[], seenShare: number): number {
  const decided = confidences.length
    ? meanBy(confidences, (one) => Math.max(one, 1 - one))
    : CLEAN_CONFIDENCE;
  return roundTo(decided * (MIN_COVERAGE_FACTOR + (1 - MIN_COVERAGE_FACTOR) * seenShare), 2);
}
