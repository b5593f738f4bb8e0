import type { InspectionEnvelope, InspectionResults } from '../../contract/inspection.ts';
import type { Decision } from '../../contract/review.ts';
import type { ReviewedEnvelope } from '../../contract/review-answers.ts';
import { deepFreeze } from '../../lib/objects.ts';
import { regrade } from './regrade.ts';
import { regroup } from './regroup.ts';
import { type ResolveDeps, resolveFindings } from './resolve.ts';
import { makeReview, type ReviewSignature } from './review.ts';

/** Returns the indices of photos with drawn boxes; applying the decisions needs their part maps. */
export const listDrawnPhotos = (decisions: readonly Decision[]): readonly number[] => [
  ...new Set(decisions.flatMap((one) => (one.decision === 'add' ? [one.image_index] : []))),
];

/**
 * Applies the decisions: groups the photos by vehicle, corrects the findings, grades and prices them again. Finding ids
 * and numbers stay the same, so both results and the annotated photos remain comparable.
 * @param decisions as parsed by `parseDecisions` for this result
 * @throws VehiError input NOT_PRICEABLE for a changed finding without a size, PART_NEEDED for an added one off the
 * vehicle
 */
export function applyDecisions(
  envelope: InspectionEnvelope,
  decisions: readonly Decision[],
  deps: ResolveDeps & ReviewSignature,
): ReviewedEnvelope {
  const { data } = regroup(envelope, decisions);
  const resolved = resolveFindings(data, decisions, deps);
  const { results } = data as { results: InspectionResults };
  const corrected = regrade({ ...data, results }, decisions, resolved, deps.pricer);
  return deepFreeze<ReviewedEnvelope>({
    ...envelope,
    data: { ...data, results: corrected },
    review: makeReview(envelope.data, decisions, resolved, corrected, deps),
  });
}
