import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { ReviewedEnvelope } from '../../contract/review.ts';
import type { RawRequest } from '../../engine/assess/of-inspection.ts';
import type { Engine } from '../../engine/engine.ts';
import { defined } from '../../lib/defined.ts';
import { readAssessmentRequest } from './assess-input.ts';
import { startSupplement } from './supplement.ts';

/** A reviewed result with the estimate of what it lists now, where the result had one. */
export type EstimatedReview = ReviewedEnvelope & { readonly assessment?: AssessmentEnvelope };

/**
 * Returns the reviewed result with its estimate made again, for the same vehicle, market and settlement: `inspect
 * --assess` keeps one in the file, which would price damage that is no longer listed. Edits of its lines are of the
 * earlier damage and are left out.
 */
export function estimateAgain(reviewed: EstimatedReview, engine: Pick<Engine, 'assess'>): EstimatedReview {
  const { assessment: earlier, ...rest } = reviewed;
  if (!earlier || !rest.data.results?.damages.length) return rest;
  const { vehicle, claim, assessment_options, settlement } = startSupplement(earlier, 'assessment');
  const { line_edits: decided, ...found } = readAssessmentRequest(rest);
  // Without expected operations there is none to include or to leave out.
  const isOff = earlier.data.estimate.associated_operations === 'off';
  const line_edits = isOff ? (decided as RawRequest[] | undefined)?.filter((one) => 'part' in one) : decided;
  const request = { ...found, ...defined({ line_edits, vehicle, claim, assessment_options, settlement }) };
  return { ...rest, assessment: engine.assess(request) };
}

/** Returns whether a person changed lines of the estimate that a result has. */
export function hasEditedLines({ assessment }: EstimatedReview): boolean {
  return Boolean(assessment && startSupplement(assessment, 'assessment').line_edits);
}
