import { VehiError } from '../../lib/errors.ts';
import type { InspectionOutcome, InspectionRecord } from '../../storage/ports.ts';
import { presentVisual } from '../present.ts';
import type { Services } from '../services.ts';
import { messagesFor, visualEvent } from '../webhooks/events.ts';
import { type Analysis, analyse } from './analyse.ts';
import { emptyInspection, photoName, type VisualJob } from './visual-job.ts';

const ATTEMPTS_MAX = 3;

/** Why a failure happened, in words for the caller; what is inside stays inside. */
function failureOf(error: unknown): { code: string; message: string; field?: string; details?: unknown } {
  if (!(error instanceof VehiError))
    return { code: 'INTERNAL_ERROR', message: 'The analysis failed; it is our fault.' };
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

async function finish(
  record: InspectionRecord,
  job: VisualJob,
  result: Analysis | { failed: unknown },
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
    status: document.status,
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
    status: document.status === 'failed' ? 'failed' : 'completed',
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
