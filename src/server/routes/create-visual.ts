import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { SCHEMA_VERSION } from '../../contract/constants.ts';
import { type VisualRequest, VisualRequestSchema } from '../../contract/requests.ts';
import { defined } from '../../lib/objects.ts';
import {
  type IdempotencyRef,
  type InspectionRecord,
  StagedFilesLostError,
  StorageUnavailableError,
} from '../../storage/ports.ts';
import { removeInspections } from '../../storage/removal.ts';
import { ApiError, makeStoppingError, makeUnavailableError } from '../http/api-error.ts';
import { readCaller } from '../http/auth.ts';
import { describeIgnored } from '../http/success.ts';
import { findRefusal, makeEmptyInspection, type VisualJob } from '../jobs/visual-job.ts';
import { namePhoto } from '../photo-files.ts';
import { collectPhotos } from '../photos/collect.ts';
import { listUploadIds, removeUploads } from '../photos/uploads.ts';
import type { Services } from '../services.ts';
import { PLAN_WEIGHTS } from '../work/order.ts';
import type { NoSlot } from '../work/queue.ts';

/** Removes an inspection that failed on a photo only the decoder could reject. @throws ApiError for that photo */
async function throwIfRejected(record: InspectionRecord, { store }: Services): Promise<void> {
  const refusal = findRefusal(record);
  if (!refusal) return;
  await removeInspections(store, { id: record.id });
  const { code, message, field, details } = refusal;
  throw new ApiError(code, message, { field, ...defined({ details }) });
}

/** Margin within which a creation that waits for its analysis has refused it, even if two machines' clocks differ. */
const REFUSAL_MARGIN_MS = 5_000;

/** Suggested delay in seconds before retrying a refused creation. */
const RETRY_AFTER_SECONDS = 30;

function makeNoSlotError(noSlot: NoSlot): ApiError {
  if (noSlot.refused === 'stopped') return makeStoppingError();
  if (noSlot.refused === 'queue') {
    const tooMany = 'Too many analyses are waiting already; try again later.';
    return makeUnavailableError(tooMany, RETRY_AFTER_SECONDS, 'queue_full');
  }
  const { limit } = noSlot;
  const message = `${limit} analyses of this account are waiting or running, the most that one account may have; try again later.`;
  return new ApiError('CONCURRENCY_LIMIT_EXCEEDED', message, {
    details: { reason: 'waiting', limit },
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  });
}

/** Returns the record of a new inspection, without its job. */
function makeRecord(
  request: FastifyRequest,
  body: VisualRequest,
  { clock, settings, backend }: Services,
): InspectionRecord {
  const id = clock.newId('vis');
  const createdAt = clock.now().toISOString();
  return {
    id,
    accountId: readCaller(request).account.id,
    environment: settings.environment,
    kind: 'visual',
    vehicleId: body.vehicle_id,
    status: 'processing',
    createdAt,
    completedAt: null,
    attempts: 0,
    document: makeEmptyInspection({ id, vehicleId: body.vehicle_id, createdAt }),
    meta: {
      request_id: request.id,
      processing_time: 0,
      images_processed: body.images.length,
      ai_model_version: backend.modelVersion,
      schema_version: SCHEMA_VERSION,
      software_version: settings.softwareVersion,
      ...backend.assessor.getTerms(
        body.options?.labor_rate_region ?? settings.region,
        body.options?.currency ?? settings.currency,
      ),
      ...describeIgnored(VisualRequestSchema, body),
    },
    request: null,
  };
}

/**
 * Receives the photos, stores the job, and waits for it within the inline limits.
 * @throws ApiError of the contract for photos, CONCURRENCY_LIMIT_EXCEEDED at the account's limit of unfinished jobs, or
 * SERVICE_UNAVAILABLE; what was stored is removed again, unless the store is unreachable.
 */
export async function createVisual(
  request: FastifyRequest,
  body: VisualRequest,
  ref: IdempotencyRef | undefined,
  services: Services,
): Promise<InspectionRecord> {
  const { store, clock, queue, backlog, settings } = services;
  const { region, currency, minConfidence, keepPhotos, keepViewsDays, inlineMs } = settings;
  const { account } = readCaller(request);
  const record = makeRecord(request, body, services);
  const { id } = record;
  const load = { photos: body.images.length, weight: PLAN_WEIGHTS[account.plan] };
  const slot = await queue.reserve(account.id, load);
  if ('refused' in slot) throw makeNoSlotError(slot);
  const isParked = request.simulate.outcome === 'processing';
  // Waiting behind the account's own jobs until the inline limit would only delay the client.
  const isDeferred =
    /(^|,)\s*respond-async\s*(;|,|$)/i.test(String(request.headers.prefer ?? '')) ||
    isParked ||
    body.images.length > settings.inlineImages ||
    backlog.expectMs(account.id) > inlineMs;
  let tag: number | undefined;
  let uploads: readonly string[] = [];
  try {
    const unusable = await collectPhotos(id, body, request, services);
    const isUsable = (_: unknown, at: number) => unusable.every(({ index }) => index !== at);
    uploads = listUploadIds(body.images.filter(isUsable));
    const names = body.images.map((_image, index) => namePhoto(index));
    await store.blobs.publish(id, names.filter(isUsable));
    const job: VisualJob = {
      images: body.images.map(({ url, angle, type }) => ({ url, angle, type })),
      options: body.options ?? {},
      unusable,
      settings: { region, currency, minConfidence, keepPhotos, keepViewsDays },
      requestId: request.id,
      refusableUntilMs: isDeferred ? 0 : clock.wallMs() + inlineMs + REFUSAL_MARGIN_MS,
      simulate: request.simulate,
    };
    tag = await store.inspections.create(
      { ...record, request: job },
      { ...defined({ idempotency: ref }), parked: isParked, cost: slot.cost },
    );
  } catch (error) {
    slot.cancel();
    await store.blobs.discardStaged(id);
    // If the store became unreachable, the record may have been stored, and then needs these photos.
    if (!(error instanceof StorageUnavailableError)) await store.blobs.remove(id);
    if (error instanceof StagedFilesLostError) {
      request.log.error({ err: error }, 'photos were lost before their inspection was stored');
      throw makeUnavailableError('The photos were lost on our side; send them again.', 1);
    }
    throw error;
  }
  // A parked record has no job, whose end would free the slot.
  const jobEnd = isParked ? undefined : slot.submit(id, tag);
  if (jobEnd) backlog.add(account.id, jobEnd);
  else slot.cancel();
  let latest = record;
  if (!isDeferred) {
    await Promise.race([jobEnd, sleep(inlineMs, undefined, { ref: false })]);
    latest = (await store.inspections.get(id)) ?? record;
    await throwIfRejected(latest, services);
  }
  // Uploads of a refused request remain available for the next one; the sweep removes those that cannot be removed now.
  await removeUploads(uploads, store).catch(() => undefined);
  return latest;
}
