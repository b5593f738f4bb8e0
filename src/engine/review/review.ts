import type { InspectionEnvelope, InspectionResults } from '../../contract/inspection.ts';
import type { Decision } from '../../contract/review.ts';
import type { AppliedReview, ReviewedEnvelope, ReviewedFinding } from '../../contract/review-answers.ts';
import { findVehicle, groupAsDecided } from '../../domain/vehicle-photos.ts';
import { defined } from '../../lib/objects.ts';
import type { Pricer } from '../pricer.ts';
import { listRepairVerdicts } from './repair-edits.ts';
import type { ResolvedFindings } from './resolve.ts';

/** Who reviewed, and when. */
export interface ReviewSignature {
  readonly reviewedAt: Date;
  readonly reviewer?: string | undefined;
}

/**
 * Creates the record of a review: the outcome of each decision, and what was left open.
 * @param before the result before this review; photos that its own review moved stay listed
 * @param corrected its results after the review
 */
export function makeReview(
  before: InspectionEnvelope & Partial<ReviewedEnvelope>,
  decisions: readonly Decision[],
  resolved: ResolvedFindings,
  corrected: InspectionResults,
  { pricer, reviewedAt, reviewer }: ReviewSignature & { readonly pricer: Pricer },
): AppliedReview {
  return {
    reviewed_at: reviewedAt.toISOString(),
    ...defined({ reviewer }),
    decisions: decisions.flatMap((one) => recordDecision(one, resolved)),
    ...listEarlier(before),
    ...listRepairVerdicts(decisions, corrected, pricer),
    ...listMoved(before, decisions),
    photos_checked: [...listCheckedPhotos(decisions)],
    not_reviewed: corrected.damages.map(({ damage_id: id }) => id).filter((id) => !resolved.decided.has(id)),
  };
}

/** Lists the decisions of earlier reviews on findings, latest first; absent if nothing was decided. */
function listEarlier({ review }: Partial<ReviewedEnvelope>): Pick<AppliedReview, 'earlier'> {
  if (!review) return {};
  const { reviewed_at, reviewer, decisions, earlier = [] } = review;
  const made = [{ reviewed_at, ...defined({ reviewer }), decisions }, ...earlier].filter(
    (one) => one.decisions.length > 0,
  );
  return made.length > 0 ? { earlier: made } : {};
}

/** Lists the photos in which the reviewer saw no further damage. */
export function listCheckedPhotos(decisions: readonly Decision[]): readonly number[] {
  return decisions
    .flatMap((one) => (one.decision === 'nothing_more' ? [one.image_index] : []))
    .sort((a, b) => a - b);
}

/** Records a finding before and after its decision; empty for decisions on anything else. */
function recordDecision(
  one: Decision,
  { found, damages, added, findTarget }: ResolvedFindings,
): ReviewedFinding[] {
  if (!('damage_id' in one) && one.decision !== 'add') return [];
  const { decision, note } = one;
  const into = 'into' in one && one.into !== undefined ? findTarget(one.into) : undefined;
  const target = into === undefined ? undefined : damages.get(into);
  const find = (id: string | undefined) => found.find((finding) => finding.damage_id === id) ?? null;
  const outcome = defined({ into: target?.damage_id, note });
  if (decision === 'add') {
    const corrected = target ?? added.get(one);
    if (!corrected) throw new Error('an addition without a damage');
    return [{ damage_id: corrected.damage_id, decision, ...outcome, original: find(into), corrected }];
  }
  const { damage_id } = one;
  const original = find(damage_id);
  // The photo was moved back, so the finding is again part of another one.
  if (!original) return [];
  return [{ damage_id, decision, ...outcome, original, corrected: damages.get(damage_id) ?? null }];
}

/** Lists the photos moved to a vehicle other than the one found, in this review or an earlier one. */
function listMoved(
  { data: { images: photos, vehicle_groups: found }, review }: InspectionEnvelope & Partial<ReviewedEnvelope>,
  decisions: readonly Decision[],
): Pick<AppliedReview, 'photos_moved'> {
  const movedBefore = review?.photos_moved?.map(({ image_index: index }) => index);
  const moved = groupAsDecided(photos, found, decisions).flatMap(({ vehicle, images }, at) =>
    images
      .filter((index) => findVehicle(index, found) !== vehicle || movedBefore?.includes(index))
      .map((index) => ({ image_index: index, vehicle: at + 1 })),
  );
  if (moved.length === 0) return {};
  return { photos_moved: moved.sort((one, other) => one.image_index - other.image_index) };
}
