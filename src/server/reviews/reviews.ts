import type { InspectionEnvelope, InspectionResults, VisualInspection } from '../../contract/inspection.ts';
import type { DrawnBox, Stated } from '../../contract/review.ts';
import type {
  AppliedReview,
  Placement,
  ReviewChange,
  ReviewedEnvelope,
} from '../../contract/review-answers.ts';
import { VehiError } from '../../lib/errors.ts';
import type { FieldFault } from '../../lib/fields.ts';
import { defined } from '../../lib/objects.ts';
import type { InspectionRecord, NewWebhookMessage, ReviewRecord, SavedReview } from '../../storage/ports.ts';
import { ApiError, makeRequestError } from '../http/api-error.ts';
import type { ReviewServices } from '../services.ts';

/** The stored part of a reviewed result. */
export interface ReviewOutcome {
  readonly results: InspectionResults;
  readonly review: AppliedReview;
}

/**
 * Returns the inspection in the engine's format.
 * @throws ApiError NOTHING_TO_REVIEW while it is processing, or if it failed
 */
export function makeEnvelope(record: InspectionRecord): InspectionEnvelope {
  const data = record.document as VisualInspection;
  const makeError = (why: string) =>
    new ApiError('NOTHING_TO_REVIEW', `${record.id} cannot be reviewed: ${why}.`, { field: 'inspection_id' });
  if (record.status === 'processing') throw makeError('its analysis is under way');
  if (!data.results) throw makeError('its analysis has no result');
  return { status: 'success', data, meta: record.meta as InspectionEnvelope['meta'] };
}

/** Names the field of the request in an error that names the position in the list of decisions, like `[0].part`. */
function locateInRequest(error: unknown): never {
  if (!(error instanceof VehiError) || error.code !== 'INVALID_DECISIONS') throw error;
  const { kind, code, hint, details } = error;
  const locate = (text: string) => text.replace(/^(decisions: )?\[/, 'decisions[');
  const message = locate(error.message);
  const errors = (details?.errors as readonly FieldFault[] | undefined)?.map((fault) => ({
    ...fault,
    field: locate(fault.field),
    message: locate(fault.message),
  }));
  const field = /^decisions\[\S+/.exec(message)?.[0];
  throw new VehiError(kind, code, message, defined({ field, hint, details: errors && { errors } }));
}

/** Returns the outcome of a stored review. */
export const readOutcome = ({ outcome }: Pick<ReviewRecord, 'outcome'>) => outcome as ReviewOutcome;

export const pickOutcome = ({ data, review }: ReviewedEnvelope): ReviewOutcome => ({
  results: data.results as InspectionResults,
  review,
});

/** Returns what a report shows: no review section before the first decision of any review, unless one is finished. */
export function pickShown(reviewed: ReviewedEnvelope) {
  const { review, ...found } = reviewed;
  const { decisions, repair = [], photos_checked: checked, photos_moved: moved, earlier } = review;
  const isEmpty = !moved && !earlier && [...decisions, ...repair, ...checked].length === 0;
  return isEmpty && review.unfinished ? found : reviewed;
}

async function applyDecisions(
  record: InspectionRecord,
  decisions: readonly unknown[],
  reviewer: string,
  { backend, clock, partMaps }: ReviewServices,
): Promise<ReviewOutcome> {
  const reviewing = backend.engine.review(makeEnvelope(record), decisions, {
    now: clock.now(),
    ...(reviewer === '' ? {} : { reviewer }),
    mapOf: (photo) => partMaps.get(record.id, photo),
  });
  return pickOutcome(await reviewing.catch(locateInRequest));
}

/** Reads the review of an inspection, as stored or before its first change. */
export async function readReview(record: InspectionRecord, services: ReviewServices): Promise<ReviewRecord> {
  const stored = await services.store.reviews.get(record.id);
  if (stored) return stored;
  return {
    inspectionId: record.id,
    revision: 0,
    reviewer: '',
    decisions: [],
    outcome: await applyDecisions(record, [], '', services),
    savedAt: null,
    finishedAt: null,
  };
}

const makeConflictError = (revision: number) =>
  new ApiError('REVIEW_CONFLICT', 'Somebody else has changed this review; read it again.', {
    field: 'revision',
    details: { revision },
  });

/** Returns why a review was not stored: the inspection was deleted in between, or another change came first. */
async function makeUnsavedError(id: string, { store }: ReviewServices): Promise<ApiError> {
  const stored = await store.reviews.get(id);
  if (stored && (await store.inspections.get(id))) return makeConflictError(stored.revision);
  return new ApiError('INSPECTION_NOT_FOUND', `${id} has been deleted.`, { field: 'inspection_id' });
}

/**
 * Applies all decisions and stores them as the next revision.
 * @throws ApiError REVIEW_CONFLICT if another change came first, INSPECTION_NOT_FOUND if the inspection was deleted in
 * between; VehiError input naming the invalid decision
 */
export async function changeReview(
  record: InspectionRecord,
  { revision, reviewer, decisions }: ReviewChange,
  services: ReviewServices,
): Promise<ReviewRecord> {
  const stored = await services.store.reviews.get(record.id);
  const latest = stored?.revision ?? 0;
  if (latest !== revision) throw makeConflictError(latest);
  const reviewerName = reviewer?.trim() ?? stored?.reviewer ?? '';
  const next: SavedReview = {
    inspectionId: record.id,
    revision: revision + 1,
    reviewer: reviewerName,
    decisions,
    outcome: await applyDecisions(record, decisions, reviewerName, services),
    savedAt: services.clock.now().toISOString(),
    finishedAt: null,
  };
  if (!(await services.store.reviews.save(next))) throw await makeUnsavedError(record.id, services);
  return next;
}

/** Builds the events of a finished review. They are stored with it and sent within a second. */
export type Announce = (
  record: InspectionRecord,
  results: InspectionResults,
  at: string,
) => Promise<readonly NewWebhookMessage[]>;

/**
 * Finishes a review and creates its events; it stays finished until changed.
 * @throws ApiError REVIEW_CONFLICT, or INSPECTION_NOT_FOUND if the inspection was deleted in between
 */
export async function finishReview(
  record: InspectionRecord,
  revision: number,
  services: ReviewServices,
  announce: Announce,
): Promise<ReviewRecord> {
  const { store, clock } = services;
  const latest = await readReview(record, services);
  if (latest.revision !== revision) throw makeConflictError(latest.revision);
  if (latest.finishedAt !== null) return latest;
  // A review without changes confirms the result, so it is stored as well.
  const review =
    latest.revision > 0 ? latest : await changeReview(record, { revision, decisions: [] }, services);
  const at = clock.now().toISOString();
  const messages = await announce(record, readOutcome(review).results, at);
  if (await store.reviews.finish(record.id, review.revision, at, messages))
    return { ...review, finishedAt: at };
  // An equal request may have finished it meanwhile.
  const stored = await store.reviews.get(record.id);
  if (stored?.revision === review.revision) return stored;
  throw await makeUnsavedError(record.id, services);
}

/**
 * Returns the part under a drawn box and the proposed damage.
 * @throws ApiError naming the invalid field, or PHOTO_NOT_KEPT
 */
export async function placeBox(
  record: InspectionRecord,
  { image_index: index, box, ...stated }: Stated & { readonly image_index: number; readonly box: DrawnBox },
  { backend, partMaps }: ReviewServices,
): Promise<Placement> {
  const envelope = makeEnvelope(record);
  const photo = envelope.data.images.find((candidate) => candidate.index === index);
  const last = envelope.data.images.length - 1;
  if (!photo) throw makeRequestError(`image_index must be 0 to ${last}, found ${index}.`, 'image_index');
  if (box.x + box.width > photo.width || box.y + box.height > photo.height)
    throw makeRequestError(`box must lie inside the photo of ${photo.width}x${photo.height}.`, 'box');
  const map = await partMaps.get(record.id, photo);
  if (!map) throw new ApiError('PHOTO_NOT_KEPT', 'The picture of this photo is no longer kept.');
  return backend.engine.placeBox(map, photo, box, stated, envelope);
}
