import type { VisualInspection } from '../../contract/inspection.ts';
import type { Decision } from '../../contract/review.ts';
import type { AppliedReview, Review, ReviewedEnvelope } from '../../contract/review-answers.ts';
import { regroup } from '../../engine/review/regroup.ts';
import { defined } from '../../lib/objects.ts';
import type { InspectionRecord, ReviewRecord } from '../../storage/ports.ts';
import type { Links } from '../links.ts';
import { nameCrop, nameThumbnail, nameView } from '../photo-files.ts';
import { linkDamage, presentRecord, presentVisual } from '../present-record.ts';
import type { ReviewServices, Services } from '../services.ts';
import { makeEnvelope, readOutcome } from './reviews.ts';
import { listCloseUps } from './views.ts';

/** Returns the complete reviewed result; its review says so if it is not finished. */
export function makeReviewedEnvelope(record: InspectionRecord, stored: ReviewRecord): ReviewedEnvelope {
  const { data, ...envelope } = regroup(makeEnvelope(record), stored.decisions as readonly Decision[]);
  const { results, review } = readOutcome(stored);
  const unfinished = stored.finishedAt === null ? ({ unfinished: true } as const) : {};
  return { ...envelope, data: { ...data, results }, review: { ...review, ...unfinished } };
}

/** Converts an inspection to its wire format, with the figures of its finished review, if any. */
export async function presentReviewed(
  record: InspectionRecord,
  { store, links }: Pick<Services, 'store' | 'links'>,
) {
  const shown = presentRecord(record, links);
  const review = record.reviewedAt ? await store.reviews.get(record.id) : undefined;
  if (!review) return shown;
  const { damages, overall_condition, condition_score, grade_basis, repair_cost } =
    readOutcome(review).results;
  return {
    ...shown,
    reviewed: { damages: damages.length, overall_condition, condition_score, grade_basis, repair_cost },
  };
}

const linkReview = (review: AppliedReview, id: string, links: ReviewServices['links']): AppliedReview => ({
  ...review,
  decisions: review.decisions.map((decision) => ({
    ...decision,
    original: decision.original && linkDamage(decision.original, id, links),
    corrected: decision.corrected && linkDamage(decision.corrected, id, links),
  })),
});

/** Converts a reviewed result to its wire format, whose files are signed links. */
export function presentEnvelope(record: InspectionRecord, reviewed: ReviewedEnvelope, links: Links) {
  const data = presentVisual({ ...record, document: reviewed.data }, links);
  return { ...reviewed, data, review: linkReview(reviewed.review, record.id, links) };
}

/** Converts a review to its wire format. */
export async function presentReview(
  record: InspectionRecord,
  stored: ReviewRecord,
  { store, links }: ReviewServices,
): Promise<Review> {
  const { results, review } = readOutcome(stored);
  const storedNames = new Set(await store.blobs.list(record.id));
  const link = (name: string) => (storedNames.has(name) ? links.makeFileUrl(record.id, name) : null);
  const closeUps = listCloseUps(record.document as VisualInspection);
  return {
    inspection_id: record.id,
    status: stored.finishedAt === null ? 'open' : 'finished',
    revision: stored.revision,
    reviewer: stored.reviewer,
    decisions: stored.decisions as Review['decisions'],
    results: {
      ...results,
      damages: results.damages.map((damage) => linkDamage(damage, record.id, links)),
      to_check: results.to_check.map((place) => linkDamage(place, record.id, links)),
    },
    review: linkReview(review, record.id, links),
    photos: (record.document as VisualInspection).images.map(({ index }) => ({
      index,
      view_url: link(nameView(index)),
      thumbnail_url: link(nameThumbnail(index)),
      ...defined({ cut_url: link(nameCrop(index)) ?? undefined }),
      close_ups: (closeUps.get(index) ?? []).flatMap(({ name, region }) => {
        const url = link(name);
        return url === null ? [] : [{ ...region, url }];
      }),
    })),
    saved_at: stored.savedAt,
    finished_at: stored.finishedAt,
  };
}
