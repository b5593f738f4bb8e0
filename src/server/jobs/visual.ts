import { VehiError } from '../../lib/errors.ts';
import type { InspectionOutcome, InspectionRecord } from '../../storage/ports.ts';
import { isStorageTrouble } from '../http/api-error.ts';
import { presentVisual } from '../present.ts';
import type { Services } from '../services.ts';
import { messagesFor, visualEvent } from '../webhooks/events.ts';
import { type Analysis, analyse } from './analyse.ts';
import { emptyInspection, photoName, type VisualJob } from './visual-job.ts';

const ATTEMPTS_MAX = 3;

/** Why a failure happened, in words for the caller; what is inside stays inside. */
function explainFailure(error: unknown): {
  code: string;
  message: string;
  field?: string;
  details?: unknown;
} {
  if (!(error instanceof VehiError))
    return { code: 'INTERNAL_ERROR', message: 'The analysis failed through a fault of the service.' };
  const { code, field, details } = error;
  // Messages about models name files of this machine.
  const message = code.startsWith('MODEL_')
    ? 'The service cannot load its models; its operator has to fix that.'
    : error.message;
  return {
    code,
    message,
    ...(field === undefined ? {} : { field }),
    ...(details === undefined ? {} : { details }),
  };
}

/** The stored result of a failed analysis. */
function describeFailed(
  record: InspectionRecord,
  error: unknown,
  { stopwatch }: Services,
): Omit<InspectionOutcome, 'messages'> {
  const failure = explainFailure(error);
  const { completedAt, processingTime } = stopwatch.read(record.id, record.createdAt);
  const document = emptyInspection(record.id, record.vehicleId, record.createdAt, {
    completedAt,
    processingTime,
    ...failure,
  });
  const meta = { ...(record.meta as object), processing_time: processingTime, failure };
  return { status: 'failed', completedAt, document, meta };
}

function describeAnalysed({ inspection, meta }: Analysis): Omit<InspectionOutcome, 'messages'> {
  const status = inspection.status === 'failed' ? 'failed' : 'completed';
  return {
    status,
    completedAt: inspection.completed_at ?? inspection.created_at,
    document: inspection,
    meta,
  };
}

/** Stores how an analysis ended, with its events, and removes its photos unless they are kept. */
async function finish(
  record: InspectionRecord,
  job: VisualJob,
  ended: Omit<InspectionOutcome, 'messages'>,
  services: Services,
): Promise<void> {
  const { store, clock, links } = services;
  const event = visualEvent(presentVisual({ ...record, ...ended }, links), ended.completedAt);
  const messages = await messagesFor(event, {
    store,
    clock,
    accountId: record.accountId,
    environment: record.environment,
    resourceId: record.id,
    simulate: job.simulate.webhook,
  });
  if (await store.inspections.finish(record.id, { ...ended, messages })) services.dispatcher.wake();
  if (services.settings.keepPhotos) return;
  const photos = job.images.map((_image, index) => store.blobs.remove(record.id, photoName(index)));
  await Promise.all(photos);
}

async function analyseOrFail(
  record: InspectionRecord,
  job: VisualJob,
  attempt: number,
  services: Services,
): Promise<Omit<InspectionOutcome, 'messages'>> {
  const { log, settings } = services;
  try {
    if (attempt > ATTEMPTS_MAX) {
      throw new VehiError(
        'engine',
        'INTERRUPTED',
        `The service stopped ${ATTEMPTS_MAX} times while it analysed these photos.`,
      );
    }
    return describeAnalysed(await analyse(record, job, services, AbortSignal.timeout(settings.jobTimeoutMs)));
  } catch (error) {
    if (isStorageTrouble(error)) throw error;
    if (!(error instanceof VehiError)) log.error({ inspection: record.id, err: error }, 'analysis failed');
    return describeFailed(record, error, services);
  }
}

/**
 * Does the work of one stored inspection and stores the outcome; never rejects. What cannot be stored (full disk, lock
 * held elsewhere) is done once more some seconds later.
 */
export async function runVisualJob(id: string, services: Services): Promise<void> {
  const { store, log, metrics, clock, stopwatch, retries } = services;
  const startedMs = clock.monotonicMs();
  let accountId = '';
  try {
    const record = await store.inspections.get(id);
    if (record?.status !== 'processing') return;
    accountId = record.accountId;
    const job = record.request as VisualJob;
    if (job.simulate.outcome === 'processing') return;
    const attempt = retries.has(id) ? record.attempts : await store.inspections.startAttempt(id);
    const ended = await analyseOrFail(record, job, attempt, services);
    await finish(record, job, ended, services);
    retries.delete(id);
    const seconds = (clock.monotonicMs() - startedMs) / 1000;
    metrics.analyses.observe({ outcome: ended.status }, seconds);
    const { failure } = ended.meta as { failure?: { code: string } };
    log.info(
      {
        inspection: id,
        account: record.accountId,
        request: job.requestId,
        outcome: ended.status,
        code: failure?.code,
        photos: job.images.length,
        attempt,
        seconds: Math.round(seconds * 100) / 100,
      },
      'analysis',
    );
  } catch (error) {
    log.error({ inspection: id, err: error }, 'analysis could not be stored; it is tried again');
    metrics.analyses.observe({ outcome: 'unstored' }, (clock.monotonicMs() - startedMs) / 1000);
    retries.add(id, accountId);
  } finally {
    if (!retries.has(id)) stopwatch.forget(id);
  }
}
