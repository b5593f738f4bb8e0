import { VehiError } from '../../lib/errors.ts';
import type { Attempt, InspectionOutcome, InspectionRecord } from '../../storage/ports.ts';
import { isStorageTrouble } from '../http/api-error.ts';
import { presentVisual } from '../present.ts';
import type { Services } from '../services.ts';
import { messagesFor, visualEvent } from '../webhooks/events.ts';
import { STOPPING, type WorkEnd } from '../work/port.ts';
import { type Analysis, analyse } from './analyse.ts';
import { removeOutputs } from './leftovers.ts';
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

/**
 * Removes what a stored result does not need. A process that dies here, or a file that cannot be removed, leaves it to
 * housekeeping, as do further attempts: one that was overtaken may still make files.
 */
async function tidy(
  record: InspectionRecord,
  job: VisualJob,
  attempt: Attempt,
  { store, settings, log }: Services,
): Promise<void> {
  try {
    if (attempt.number > 1) await removeOutputs(record.id, (made) => made !== attempt.number, store);
    if (!settings.keepPhotos)
      await Promise.all(job.images.map((_image, index) => store.blobs.remove(record.id, photoName(index))));
    if (attempt.number === 1) await store.inspections.tidied([record.id]);
  } catch (error) {
    log.warn({ inspection: record.id, reason: (error as Error).message }, 'files are left to housekeeping');
  }
}

/**
 * Stores how an analysis ended, with its events, and removes its photos unless they are kept. False where a later
 * attempt, or a removal, was faster: nothing is stored then, and the files of this attempt are removed.
 */
async function finish(
  record: InspectionRecord,
  job: VisualJob,
  attempt: Attempt,
  ended: Omit<InspectionOutcome, 'messages'>,
  services: Services,
): Promise<boolean> {
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
  if (!(await store.inspections.finish(record.id, attempt.token, { ...ended, messages }))) {
    await removeOutputs(record.id, (made) => made === attempt.number, store);
    return false;
  }
  services.dispatcher.wake();
  await tidy(record, job, attempt, services);
  return true;
}

/** Stores the outcome unless another process has the work by now; says whether it did. */
async function finishUnlessLost(
  record: InspectionRecord,
  job: VisualJob,
  attempt: Attempt,
  ended: Omit<InspectionOutcome, 'messages'>,
  services: Services,
  signal: AbortSignal,
): Promise<boolean> {
  if (!signal.aborted) return finish(record, job, attempt, ended, services);
  await removeOutputs(record.id, (made) => made === attempt.number, services.store);
  return false;
}

async function analyseOrFail(
  record: InspectionRecord,
  job: VisualJob,
  attempt: number,
  services: Services,
  signal: AbortSignal,
): Promise<Omit<InspectionOutcome, 'messages'>> {
  const { log } = services;
  try {
    if (attempt > ATTEMPTS_MAX) {
      throw new VehiError(
        'engine',
        'INTERRUPTED',
        `The service stopped ${ATTEMPTS_MAX} times while it analysed these photos.`,
      );
    }
    return describeAnalysed(await analyse(record, job, attempt, services, signal));
  } catch (error) {
    if (isStorageTrouble(error)) throw error;
    if (!(error instanceof VehiError)) log.error({ inspection: record.id, err: error }, 'analysis failed');
    return describeFailed(record, error, services);
  }
}

/**
 * Does the work of one stored inspection and stores the outcome; never rejects. `again` where that cannot be stored (full
 * disk, lock held elsewhere, database away): the attempt does not count then. Where `signal` aborts, another process has
 * the work by now, and nothing is stored.
 */
export async function runVisualJob(id: string, services: Services, signal: AbortSignal): Promise<WorkEnd> {
  const { store, log, metrics, clock, stopwatch, settings } = services;
  const startedMs = clock.monotonicMs();
  const secondsGone = () => (clock.monotonicMs() - startedMs) / 1000;
  let attempt: Attempt | undefined;
  let end: WorkEnd = 'ended';
  try {
    const record = await store.inspections.get(id);
    if (record?.status !== 'processing') return end;
    const job = record.request as VisualJob;
    if (job.simulate.outcome === 'processing') return end;
    await giveBackHeld(id, services);
    attempt = await store.inspections.startAttempt(id);
    if (!attempt) return end;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(settings.jobTimeoutMs)]);
    const ended = await analyseOrFail(record, job, attempt.number, services, limit);
    if (signal.reason === STOPPING) {
      // The process ends before the analysis did: that is no attempt.
      await removeOutputs(id, (made) => made === attempt?.number, store);
      await store.inspections.giveBackAttempt(id, attempt.token);
      return 'again';
    }
    const stored = await finishUnlessLost(record, job, attempt, ended, services, signal);
    metrics.analyses.observe({ outcome: stored ? ended.status : 'refused' }, secondsGone());
    const { failure } = ended.meta as { failure?: { code: string } };
    log.info(
      {
        inspection: id,
        account: record.accountId,
        request: job.requestId,
        outcome: stored ? ended.status : 'refused',
        code: failure?.code,
        photos: job.images.length,
        attempt: attempt.number,
        seconds: Math.round(secondsGone() * 100) / 100,
      },
      'analysis',
    );
  } catch (error) {
    end = 'again';
    log.error({ inspection: id, err: error }, 'analysis could not be stored; it is tried again');
    metrics.analyses.observe({ outcome: 'unstored' }, secondsGone());
    if (attempt) {
      services.heldAttempts.set(id, attempt.token);
      await giveBackHeld(id, services).catch(() => undefined);
    }
  } finally {
    if (end === 'ended') stopwatch.forget(id);
  }
  return end;
}

/** Takes back the attempt of this process whose outcome could not be stored. */
async function giveBackHeld(id: string, { store, heldAttempts }: Services): Promise<void> {
  const token = heldAttempts.get(id);
  if (token === undefined) return;
  await store.inspections.giveBackAttempt(id, token);
  heldAttempts.delete(id);
}
