import { roundTo } from '../../lib/round.ts';
import { meanBy } from '../../lib/sum.ts';

/** Confidence of "no damage" on a fully photographed car, i.e. the value of a clean photo. Assumed. */
const CLEAN_CONFIDENCE = 0.85;
/** Minimum factor for coverage, at nearly no seen parts. Assumed. */
const MIN_COVERAGE_FACTOR = 0.2;

/**
 * Returns the overall confidence, 0 to 1: the mean of the findings' confidences (or the confidence of "no damage"),
 * reduced by the share of unseen parts and by the probability that the most likely place to check, which the result
 * leaves out, is damage.
 */
export function computeOverallConfidence(
  confidences: readonly number[],
  share: number,
  toCheck: readonly number[] = [],
): number {
  const findings = confidences.length ? meanBy(confidences, (one) => one) : CLEAN_CONFIDENCE;
  const seen = MIN_COVERAGE_FACTOR + (1 - MIN_COVERAGE_FACTOR) * share;
  return roundTo(findings * seen * (1 - Math.max(0, ...toCheck)), 2);
}
