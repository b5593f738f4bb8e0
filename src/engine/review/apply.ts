import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { Decision } from '../../contract/review.ts';
import type { AppliedReview, ReviewedEnvelope } from '../../contract/review-answers.ts';
import { deepFreeze } from '../../lib/objects.ts';
import type { ResolveDeps } from './add.ts';
import { findSubject, readReviewable } from './decisions.ts';
import { regrade } from './regrade.ts';
import { regroup } from './regroup.ts';
import { resolveFindings } from './resolve.ts';
import { makeReview, type ReviewSignature } from './review.ts';

/**
 * Applies the decisions: groups the photos by vehicle, corrects the findings, grades and prices them again. Finding ids
 * and numbers stay the same, so both results and the annotated photos remain comparable. What an earlier review decided
 * on the repair, the photos and the vehicles stays in effect unless decided again, and the damages that it decided on
 * stay reviewed, at their full weight.
 * @param decisions as parsed by `parseDecisions` for this result
 * @throws VehiError input NOT_PRICEABLE for a changed finding without a size, PART_NEEDED for an added one off the
 * vehicle
 */
export function applyDecisions(
  envelope: InspectionEnvelope & Partial<ReviewedEnvelope>,
  decisions: readonly Decision[],
  deps: ResolveDeps & ReviewSignature,
): ReviewedEnvelope {
  const { review: earlier } = envelope;
  const all = [...listInEffect(earlier, decisions), ...decisions];
  const { data } = regroup(envelope, all);
  const resolved = resolveFindings(data, all, deps);
  const decidedBefore = (earlier ? (envelope.data.results?.damages ?? []) : [])
    .map(({ damage_id: id }) => id)
    .filter((id) => !earlier?.not_reviewed.includes(id));
  const decided = new Set([...resolved.decided, ...decidedBefore]);
  const { results } = readReviewable({ data });
  const corrected = regrade({ ...data, results }, all, { ...resolved, decided }, deps.pricer);
  return deepFreeze<ReviewedEnvelope>({
    ...envelope,
    data: { ...data, results: corrected },
    review: makeReview(envelope, all, { ...resolved, decided }, corrected, deps),
  });
}

/** Lists the decisions of an earlier review on the repair, and on photos checked, that the new ones do not repeat. */
function listInEffect(
  { repair = [], photos_checked: checked = [] }: Partial<AppliedReview> = {},
  decisions: readonly Decision[],
): readonly Decision[] {
  const named = new Set(decisions.map((one) => findSubject(one)?.named));
  const marks = checked.map((image_index) => ({ decision: 'nothing_more' as const, image_index }));
  return [...repair, ...marks].filter((one) => !named.has(findSubject(one)?.named));
}
