import type { InspectionMeta, VisualInspection } from '../../contract/inspection.ts';
import type { VisualRequest } from '../../contract/requests.ts';
import { VehiError } from '../../domain/errors.ts';
import type { InspectRequest } from '../../engine/request.ts';
import type { InspectionOutcome, InspectionRecord } from '../../storage/ports.ts';
import { photoError } from '../photos/collect.ts';
import type { PhotoFile } from '../ports.ts';
import { presentVisual } from '../present.ts';
import type { Services } from '../services.ts';
import { messagesFor, visualEvent } from '../webhooks/events.ts';

/** What a visual inspection needs to be done, and done again after a restart. */
export interface VisualJob {
  readonly images: VisualRequest['images'];
  readonly options: NonNullable<VisualRequest['options']>;
  readonly requestId: string;
  readonly simulate: { readonly outcome?: 'processing' | 'failed'; readonly webhook?: string };
}

const ATTEMPTS_MAX = 3;

/** Name of the stored photo with this index. */
export const photoName = (index: number) => `photo-${index}`;

/** The document of an inspection that is not done yet, or has failed. */
export function emptyInspection(
  id: string,
  vehicleId: string,
  createdAt: string,
  failed?: { completedAt: string; code: string; message: string },
): VisualInspection {
  return {
    inspection_id: id,
    vehicle_id: vehicleId,
    status: failed ? 'failed' : 'processing',
    created_at: createdAt,
    completed_at: failed?.completedAt ?? null,
    processing_time: failed ? secondsBetween(createdAt, failed.completedAt) : 0,
    results: null,
    reports: { pdf_url: null, json_url: null },
    images: [],
    rejected_images: [],
    missing_views: [],
    warnings: [],
    models: [],
    region: null,
    partial: false,
    ...(failed ? { failure: { code: failed.code, message: failed.message } } : {}),
  };
}

/** Seconds with two decimals. */
export function secondsBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 10) / 100;
}

interface Result {
  readonly inspection: VisualInspection;
  readonly meta: InspectionMeta;
}

function toEngine(
  record: InspectionRecord,
  job: VisualJob,
  photos: readonly PhotoFile[],
  services: Services,
): InspectRequest {
  const { settings } = services;
  return {
    vehicleId: record.vehicleId,
    photos: job.images.map((image, index) => ({
      source: { kind: 'bytes', bytes: photos[index]?.bytes ?? new Uint8Array(), name: image.url },
      url: image.url,
      angle: image.angle,
      angleSource: 'request',
      type: image.type,
    })),
    options: {
      detailed: job.options.detailed_analysis ?? false,
      hiddenDamage: job.options.detect_hidden_damage ?? false,
      region: job.options.labor_rate_region ?? settings.region,
      currency: job.options.currency ?? settings.currency,
      sensitivity: 'default',
      minConfidence: settings.minConfidence,
    },
  };
}

async function loadPhotos(
  record: InspectionRecord,
  job: VisualJob,
  services: Services,
): Promise<PhotoFile[]> {
  return Promise.all(
    job.images.map(async (_image, index) => {
      const bytes = await services.store.blobs.get(record.id, photoName(index));
      if (!bytes)
        throw new VehiError(
          'engine',
          'PHOTOS_LOST',
          `photo ${index} of ${record.id} is gone from the data directory`,
        );
      return { index, bytes };
    }),
  );
}

/** Stores annotated photos and writes their names into the document. */
async function withAnnotations(
  inspection: VisualInspection,
  photos: readonly PhotoFile[],
  services: Services,
): Promise<VisualInspection> {
  const names = new Map<number, string>();
  for (const { index, bytes } of await services.programs.artifacts.annotate(inspection, photos)) {
    const name = `annotated-${index}.jpg`;
    await services.store.blobs.put(inspection.inspection_id, name, bytes);
    names.set(index, name);
  }
  const nameOf = (index: number | undefined) => (index === undefined ? null : (names.get(index) ?? null));
  const results = inspection.results && {
    ...inspection.results,
    damages: inspection.results.damages.map((damage) => ({
      ...damage,
      annotated_url: nameOf(damage.evidence[0]?.image_index),
    })),
  };
  const images = inspection.images.map((image) => ({ ...image, annotated_url: nameOf(image.index) }));
  return { ...inspection, results, images };
}

/** Stores the PDF report; an inspection whose PDF cannot be made is complete without it, and says so. */
async function withReport(result: Result, photos: readonly PhotoFile[], services: Services): Promise<Result> {
  const { inspection, meta } = result;
  try {
    const pdf = await services.programs.artifacts.inspectionPdf(
      { status: 'success', data: inspection, meta },
      photos,
    );
    await services.store.blobs.put(inspection.inspection_id, 'report.pdf', pdf);
    return { meta, inspection: { ...inspection, reports: { pdf_url: 'report.pdf', json_url: null } } };
  } catch (error) {
    services.log.error({ inspection: inspection.inspection_id, err: error }, 'report could not be made');
    const warning = { code: 'REPORT_UNAVAILABLE', message: 'The PDF report could not be made.' };
    return { meta, inspection: { ...inspection, warnings: [...inspection.warnings, warning] } };
  }
}

async function analyse(
  record: InspectionRecord,
  job: VisualJob,
  services: Services,
  signal: AbortSignal,
): Promise<Result> {
  const { clock, programs, metrics } = services;
  if (job.simulate.outcome === 'failed')
    throw new VehiError('engine', 'SIMULATED', 'failed as X-Vehi-Simulate asked');
  const photos = await loadPhotos(record, job, services);
  const startedMs = clock.wallMs();
  const envelope = await programs.engine.inspect(toEngine(record, job, photos, services), { signal });
  metrics.inference.observe((clock.wallMs() - startedMs) / 1000 / photos.length);
  if (signal.aborted) throw new VehiError('engine', 'TIMEOUT', 'the analysis took too long');
  const [rejected] = envelope.data.rejected_images;
  if (rejected) {
    const index = job.images.findIndex((image) => image.url === rejected.url);
    const error = photoError(Math.max(0, index), rejected);
    throw new VehiError('input', error.code, error.message, {
      field: error.field ?? 'images',
      details: error.details ?? {},
    });
  }
  const inspection: VisualInspection = {
    ...envelope.data,
    inspection_id: record.id,
    vehicle_id: record.vehicleId,
    status: 'completed',
    created_at: record.createdAt,
    reports: { pdf_url: null, json_url: null },
  };
  const annotated = await withAnnotations(inspection, photos, services);
  const completedAt = clock.now().toISOString();
  const processingTime = secondsBetween(record.createdAt, completedAt);
  const result: Result = {
    inspection: { ...annotated, completed_at: completedAt, processing_time: processingTime },
    meta: { ...envelope.meta, request_id: job.requestId, processing_time: processingTime },
  };
  return job.options.generate_report === false ? result : withReport(result, photos, services);
}

/** Why a failure happened, in words for the caller; what is inside stays inside. */
function failureOf(error: unknown): { code: string; message: string; field?: string; details?: unknown } {
  if (!(error instanceof VehiError))
    return { code: 'INTERNAL_ERROR', message: 'The analysis failed; it is our fault.' };
  const { code, message, field, details } = error;
  return {
    code,
    message,
    ...(field === undefined ? {} : { field }),
    ...(details === undefined ? {} : { details }),
  };
}

async function finish(
  record: InspectionRecord,
  job: VisualJob,
  result: Result | { failed: unknown },
  services: Services,
): Promise<void> {
  const { store, clock, links } = services;
  const completedAt = clock.now().toISOString();
  const failure = 'failed' in result ? failureOf(result.failed) : undefined;
  const document =
    'failed' in result
      ? emptyInspection(record.id, record.vehicleId, record.createdAt, {
          completedAt,
          ...failureOf(result.failed),
        })
      : result.inspection;
  const ended: InspectionRecord = {
    ...record,
    status: failure ? 'failed' : 'completed',
    document,
    completedAt,
  };
  const messages = await messagesFor(visualEvent(presentVisual(ended, links), completedAt), {
    store,
    clock,
    accountId: record.accountId,
    environment: record.environment,
    simulate: job.simulate.webhook,
  });
  const meta =
    'failed' in result
      ? { ...(record.meta as object), processing_time: document.processing_time, failure }
      : result.meta;
  const outcome: InspectionOutcome = {
    status: failure ? 'failed' : 'completed',
    completedAt: document.completed_at ?? completedAt,
    document,
    meta,
    messages,
  };
  if (await store.inspections.finish(record.id, outcome)) services.dispatcher.wake();
  if (services.settings.keepPhotos) return;
  const photos = job.images.map((_image, index) => store.blobs.remove(record.id, photoName(index)));
  await Promise.all(photos);
}

/** Does the work of one stored inspection and stores what came of it; never rejects. */
export async function runVisualJob(id: string, services: Services): Promise<void> {
  const { store, log, metrics, settings, clock } = services;
  const startedMs = clock.wallMs();
  const observe = (outcome: string) =>
    metrics.analyses.observe({ outcome }, (clock.wallMs() - startedMs) / 1000);
  try {
    const record = await store.inspections.get(id);
    if (record?.status !== 'processing') return;
    const job = record.request as VisualJob;
    if (job.simulate.outcome === 'processing') return;
    const attempt = await store.inspections.startAttempt(id);
    try {
      if (attempt > ATTEMPTS_MAX) {
        throw new VehiError(
          'engine',
          'INTERRUPTED',
          `The service stopped ${ATTEMPTS_MAX} times while it analysed these photos.`,
        );
      }
      const result = await analyse(record, job, services, AbortSignal.timeout(settings.jobTimeoutMs));
      await finish(record, job, result, services);
      observe('completed');
    } catch (error) {
      if (error instanceof VehiError) log.warn({ inspection: id, code: error.code }, 'analysis failed');
      else log.error({ inspection: id, err: error }, 'analysis failed');
      await finish(record, job, { failed: error }, services);
      observe('failed');
    }
  } catch (error) {
    // The store does not answer: the record stays `processing` and is taken up again at the next start.
    log.error({ inspection: id, err: error }, 'analysis could not be stored');
    observe('unstored');
  }
}
