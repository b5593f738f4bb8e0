import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { ReviewedEnvelope } from '../../contract/review-answers.ts';
import type { RawRequest } from '../../engine/assess/request-from-inspection.ts';
import type { Engine } from '../../engine/engine.ts';
import { groupBy } from '../../lib/lists.ts';
import { defined } from '../../lib/objects.ts';
import { readAssessmentRequest } from './assess-input.ts';
import { makeRequestFromEstimate } from './request-from-estimate.ts';

/** A reviewed result with an updated estimate if the original result had one. */
export type EstimatedReview = ReviewedEnvelope & { readonly assessment?: AssessmentEnvelope };

/**
 * Recomputes the estimate of a reviewed result on the same terms; the stored one may price rejected damage. Line edits
 * are dropped, because they refer to the old lines, and so is each chosen option that its panel no longer has.
 */
export function recomputeEstimate(
  reviewed: EstimatedReview,
  engine: Pick<Engine, 'assess'>,
): EstimatedReview {
  const { assessment: earlier, ...rest } = reviewed;
  if (!earlier || !rest.data.results?.damages.length || rest.data.results.mixed_vehicles) return rest;
  const { vehicle, claim, assessment_options, overrides } = makeRequestFromEstimate(earlier, 'assessment');
  const { line_edits: reviewEdits, ...found } = readAssessmentRequest(rest);
  // Without expected operations, decisions to include or exclude them do not apply.
  const line_edits =
    earlier.data.estimate.associated_operations === 'off'
      ? (reviewEdits as RawRequest[] | undefined)?.filter((one) => 'part' in one)
      : reviewEdits;
  const request: RawRequest = { ...found, ...defined({ line_edits, vehicle, claim, assessment_options }) };
  const assessment = engine.assess(request);
  const possible = assessment.data.assessed_damages.flatMap(({ damage_id: id, repair_options: options }) =>
    options.map(({ option }) => `${id} ${option}`),
  );
  const chosen = overrides.filter(({ damage_id: id, option }) => possible.includes(`${id} ${option}`));
  if (chosen.length === 0) return { ...rest, assessment };
  const all = [...chosen, ...((request.overrides ?? []) as RawRequest[])];
  const ofDamage = [...groupBy(all, ({ damage_id: id }) => id).values()];
  const merged = ofDamage.map((same): RawRequest => Object.assign({}, ...same));
  return { ...rest, assessment: engine.assess({ ...request, overrides: merged }) };
}

/** Returns true if the new estimate lacks a user's edits of lines or damages of the earlier one. */
export function losesEdits({ assessment: earlier }: EstimatedReview, { assessment: again }: EstimatedReview) {
  if (!earlier || !again) return false;
  const kept = new Set(listEdits(again));
  return listEdits(earlier).some((edit) => !kept.has(edit));
}

const listEdits = ({ data: { estimate, assessed_damages } }: AssessmentEnvelope) => [
  ...assessed_damages.flatMap(({ damage_id, overrides = [] }) =>
    overrides.map(({ field, value }) => `${damage_id} ${field} ${value}`),
  ),
  ...estimate.lines.flatMap(({ line_id, set_by, amount, counted_in }) =>
    set_by === 'person' ? [`${line_id} ${amount} ${counted_in}`] : [],
  ),
  ...(estimate.agreed_prices ?? []).map(({ part, price }) => `${part} ${price}`),
];
