import { meanBy } from '../../lib/lists.ts';
import { roundTo } from '../../lib/numbers.ts';

/** Confidence of "no damage" on a fully photographed car, i.e. the value of a clean photo. Assumed. */
const CLEAN_CONFIDENCE = 0.85;
/** Minimum factor for coverage, at nearly no seen parts. Assumed. */
const MIN_COVERAGE_FACTOR = 0.2;

/**
 * Returns the overall confidence, 0 to 1: how decided the findings are on average (a place of 0.3 is undamaged by 0.7),
 * or the confidence of "no damage", reduced by the share of unseen parts. `confidences` are those of damages and of
 * places to check alike, so that a finding that crosses the limit between the two changes nothing.
 */
export function computeOverallConfidence(confidences: readonly number[], share: number): number {
  const decided = confidences.length
    ? meanBy(confidences, (one) => Math.max(one, 1 - one))
    : CLEAN_CONFIDENCE;
  return roundTo(decided * (MIN_COVERAGE_FACTOR + (1 - MIN_COVERAGE_FACTOR) * share), 2);
}
