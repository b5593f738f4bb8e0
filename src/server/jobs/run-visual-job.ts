import type { InspectionEnvelope } from '../../contract/inspection.ts';
import { MINUTE_MS } from '../../lib/durations.ts';
import { VehiError } from '../../lib/errors.ts';
import { roundTo } from '../../lib/numbers.ts';
import { defined } from '../../lib/objects.ts';
import type { Attempt, InspectionOutcome, InspectionRecord } from '../../storage/ports.ts';
import { measureSince } from '../clock.ts';
import { ApiError, isStorageFailure } from '../http/api-error.ts';
import type { Services } from '../services.ts';
import { makeMessages, makeVisualEvent } from '../webhooks/events.ts';
import { ChildDiedError, NoChildError } from '../work/quarantine.ts';
import type { JobEnd } from '../work/queue.ts';
import { analyze, type RunningJob } from './analyze.ts';
import { removeLeftovers, removeOutputs } from './leftovers.ts';
import { findRefusal, makeEmptyInspection, readFailure, type VisualJob } from './visual-job.ts';

/**
 * Interrupted attempts after which the job fails; generous, because the process may have died for another reason. An
 * attempt whose child outlived the service does not count, because no photo killed that process.
 */
const MAX_INTERRUPTIONS = 10;
/** Attempts of any kind after which the job fails: a photo that exhausts memory may get service and child killed. */
const MAX_ATTEMPTS = 30;
/** Number of photos that may each kill a child process before the job fails. */
const MAX_CRASHED_PHOTOS = 2;
/** Crashes of an account within an hour after which its jobs start in quarantine. */
const MAX_CRASHES = 3;
/** Attempts to start a child process for a job; memory may be short temporarily. */
const MAX_CHILD_STARTS = 8;

const MAX_JOB_MS = 15 * MINUTE_MS;

type StoredOutcome = Omit<InspectionOutcome, 'messages'>;

/**
 * Runs the job of one stored inspection and stores its outcome; never rejects. Returns `again` if the process is
 * stopping, the outcome cannot be stored (disk full, lock held elsewhere, database unreachable), or the child process
 * that must open its photos is not free or does not start. Of these attempts only the last kind counts.
 */
export async function runVisualJob(id: string, services: Services, stopping: AbortSignal): Promise<JobEnd> {
  const { store, log, quarantine, metrics, clock } = services;
  const startedMs = clock.monotonicMs();
  let attempt: Attempt | undefined;
  try {
    const record = await store.inspections.get(id);
    // The record was removed while an attempt was still writing files.
    if (!record) await store.blobs.remove(id);
    if (record?.status !== 'processing') return 'ended';
    const job = record.request as VisualJob;
    const inChild = await needsQuarantine(record, services);
    if (inChild && quarantine?.isBusy) return 'again';
    attempt = await store.inspections.startAttempt(id, inChild);
    if (!attempt) return 'ended';
    const task = { record, job, attempt, services };
    const outcome = await analyzeOrFail(task, stopping);
    if (!outcome) return runVisualJob(id, services, stopping);
    if (stopping.aborted) {
      await revertAttempt(id, attempt, services);
      return 'again';
    }
    const result = (await storeOutcome(task, outcome)) ? outcome.status : 'refused';
    const seconds = (clock.monotonicMs() - startedMs) / 1000;
    metrics.analyses.observe({ outcome: result }, seconds);
    log.info(
      {
        inspection: id,
        account: record.accountId,
        request: job.requestId,
        outcome: result,
        code: readFailure(outcome)?.code,
        photos: job.images.length,
        attempt: attempt.number,
        seconds: roundTo(seconds, 2),
      },
      'analysis',
    );
    return 'ended';
  } catch (error) {
    if (error instanceof NoChildError) {
      log.warn({ inspection: id, reason: error.message }, 'quarantine cannot be started');
      return 'again';
    }
    log.error({ inspection: id, err: error }, 'analysis could not be made or stored; it is tried again');
    metrics.analyses.observe({ outcome: 'unstored' }, (clock.monotonicMs() - startedMs) / 1000);
    // An attempt that cannot be reverted counts as an interruption.
    if (attempt) await revertAttempt(id, attempt, services).catch(() => undefined);
    return 'again';
  }
}

/** Reverts an attempt that does not count, and removes the files it wrote. */
async function revertAttempt(id: string, attempt: Attempt, { store }: Services): Promise<void> {
  await removeOutputs(id, attempt, store);
  await store.inspections.revertAttempt(id, attempt);
}

/** Returns true if the job must run in quarantine, because it or other jobs of its account have crashed a process. */
async function needsQuarantine({ accountId, attempts }: InspectionRecord, { quarantine, store }: Services) {
  if (!quarantine) return false;
  return attempts > 0 || (await store.inspections.countRecentCrashes(accountId)) >= MAX_CRASHES;
}

/**
 * Returns undefined if the child process died: the photo that killed it is recorded, and the next attempt skips it.
 * @throws an error of the storage, or NoChildError unless it is the last of them
 */
async function analyzeOrFail(running: RunningJob, stopping: AbortSignal): Promise<StoredOutcome | undefined> {
  const { record, attempt, services } = running;
  const { log, metrics, store } = services;
  try {
    checkAttempt(attempt);
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(MAX_JOB_MS)]);
    return toOutcome(await analyze(running, signal));
  } catch (error) {
    if (isStorageFailure(error)) throw error;
    if (error instanceof ChildDiedError) {
      const { photo, message: reason } = error;
      metrics.childrenDied.inc();
      log.warn({ inspection: record.id, attempt: attempt.number, photo, reason }, 'child process ended');
      await store.inspections.recordCrash(record.id, attempt.token, photo);
      return undefined;
    }
    if (error instanceof NoChildError) {
      if (attempt.number < MAX_CHILD_STARTS) throw error;
      log.error({ inspection: record.id, reason: error.message }, 'quarantine cannot be started');
      const message =
        'The service opens these photos in a process of its own, because an analysis of this account was cut off before, and could not start it. Send them again later; the operator finds the reason in the log.';
      return toFailedOutcome(record, new VehiError('engine', 'QUARANTINE_UNAVAILABLE', message), services);
    }
    if (!isExplained(error)) log.error({ inspection: record.id, err: error }, 'analysis failed');
    return toFailedOutcome(record, error, services);
  }
}

/** @throws VehiError engine/INTERRUPTED after too many interruptions, attempts, or photos that crashed one */
function checkAttempt({ number, interruptions, crashedPhotos, lastOpenedPhoto }: Attempt): void {
  const isWithin = interruptions < MAX_INTERRUPTIONS && number <= MAX_ATTEMPTS;
  if (isWithin && crashedPhotos.length < MAX_CRASHED_PHOTOS) return;
  const photos = [...new Set([...crashedPhotos, ...(lastOpenedPhoto === null ? [] : [lastOpenedPhoto])])];
  const suspects =
    photos.length === 0 ? '' : ` It was opening ${photos.map((photo) => `images[${photo}]`).join(', ')}.`;
  const message = `The analysis of these photos was interrupted ${number - 1} times.${suspects}`;
  const details = photos.length === 0 ? undefined : { images: photos };
  throw new VehiError('engine', 'INTERRUPTED', message, { details });
}

/**
 * Stores the outcome of an analysis with its events, and removes the photos unless they are kept. Returns false if a
 * later attempt or a removal came first: nothing is stored, and this attempt's files are removed.
 */
async function storeOutcome(
  { record, job, attempt, services }: RunningJob,
  outcome: StoredOutcome,
): Promise<boolean> {
  const { store, links, log, dispatcher } = services;
  const { id } = record;
  const event = makeVisualEvent({ ...record, ...outcome }, outcome.completedAt, links);
  // The creation may still refuse the request for this photo: then the inspection and its events are removed.
  const notBeforeMs = findRefusal(outcome) ? job.refusableUntilMs : undefined;
  const messages = await makeMessages(event, record, services, notBeforeMs);
  if (!(await store.inspections.finish(id, attempt.token, { ...outcome, messages }))) {
    if (await store.inspections.get(id)) await removeOutputs(id, attempt, store);
    else await store.blobs.remove(id);
    return false;
  }
  dispatcher.wake();
  try {
    await removeLeftovers(id, attempt.number, job, store);
    // A superseded attempt may still be writing files; housekeeping removes those.
    if (attempt.number === 1) await store.inspections.markCleanedUp([id]);
  } catch (error) {
    log.warn({ inspection: id, reason: (error as Error).message }, 'files are left to housekeeping');
  }
  return true;
}

/** Returns true for an error whose text is meant for the caller. */
const isExplained = (error: unknown) => error instanceof VehiError || error instanceof ApiError;

/** Converts an error to the failure shown to the caller, without internal details. */
function explainFailure(error: unknown) {
  if (!isExplained(error))
    return { code: 'INTERNAL_ERROR', message: 'The analysis failed through a fault of the service.' };
  const { code, field, details } = error;
  // Messages of model errors contain file names of this machine.
  const message = code.startsWith('MODEL_')
    ? 'The service cannot load its models; its operator has to fix that.'
    : error.message;
  return { code, message, ...defined({ field, details }) };
}

/** Returns the stored outcome of a failed analysis. */
function toFailedOutcome(record: InspectionRecord, error: unknown, { clock }: Services): StoredOutcome {
  const failure = explainFailure(error);
  const { completedAt, processingTime } = measureSince(record.createdAt, clock);
  const document = makeEmptyInspection(record, { completedAt, processingTime, ...failure });
  const meta = { ...(record.meta as object), processing_time: processingTime, failure };
  return { status: 'failed', completedAt, document, meta };
}

/** Returns the stored outcome of a finished analysis. */
function toOutcome({ data, meta }: InspectionEnvelope): StoredOutcome {
  const status = data.status === 'failed' ? 'failed' : 'completed';
  return { status, completedAt: data.completed_at ?? data.created_at, document: data, meta };
}
