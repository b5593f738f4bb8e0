import type { InspectionEnvelope } from '../../contract/inspection.ts';
import { defined } from '../../lib/defined.ts';
import { VehiError } from '../../lib/errors.ts';
import { roundTo } from '../../lib/round.ts';
import type { Attempt, InspectionOutcome, InspectionRecord } from '../../storage/ports.ts';
import { isStorageFailure } from '../http/api-error.ts';
import { presentVisual } from '../present-record.ts';
import type { Services } from '../services.ts';
import { makeMessages, makeVisualEvent } from '../webhooks/events.ts';
import { computeExtraCost, findWeight } from '../work/job-cost.ts';
import { type JobEnd, STOPPING } from '../work/port.ts';
import { ChildDied, NoChild } from '../work/quarantine.ts';
import { analyse } from './analyse.ts';
import { removeOutputs } from './leftovers.ts';
import { makeEmptyInspection, namePhoto, type VisualJob } from './visual-job.ts';

/**
 * Interrupted attempts after which the job fails; generous, because the process may have died for another reason. An
 * attempt whose child outlived the service does not count, because no photo killed that process.
 */
const MAX_INTERRUPTIONS = 10;
/**
 * Attempts of any kind after which the job fails: the kernel may kill service and child together for a photo's memory.
 */
const MAX_ATTEMPTS = 30;
/** Photos that killed their child process after which the job fails. */
const MAX_CRASHED_PHOTOS = 2;
/** Crashes of an account within an hour after which its jobs start in quarantine. */
const MAX_CRASHES = 3;

/** A running job for one stored inspection. */
interface RunningJob {
  readonly record: InspectionRecord;
  readonly job: VisualJob;
  readonly services: Services;
  /** Aborts when another process takes the job, this process stops, or the job times out. */
  readonly signal: AbortSignal;
  /** True if a child process opens the photos. */
  readonly inChild: boolean;
}

type StoredOutcome = Omit<InspectionOutcome, 'messages'>;

/**
 * Removes files that a stored result no longer needs. Housekeeping does it instead if the process dies here, if a file
 * cannot be removed, or for later attempts, because a superseded attempt may still be writing files.
 */
async function cleanUp({ record, job, services }: RunningJob, attempt: Attempt): Promise<void> {
  const { store, settings, log } = services;
  try {
    if (attempt.number > 1) await removeOutputs(record.id, (number) => number !== attempt.number, store);
    if (!settings.keepPhotos)
      await Promise.all(job.images.map((_image, index) => store.blobs.remove(record.id, namePhoto(index))));
    if (attempt.number === 1) await store.inspections.markCleanedUp([record.id]);
  } catch (error) {
    log.warn({ inspection: record.id, reason: (error as Error).message }, 'files are left to housekeeping');
  }
}

/**
 * Stores the outcome of an analysis with its events, and removes the photos unless they are kept. Returns false if a
 * later attempt or a deletion came first: nothing is stored, and this attempt's files are removed.
 */
async function storeOutcome(task: RunningJob, attempt: Attempt, outcome: StoredOutcome): Promise<boolean> {
  const { record, job, services } = task;
  const { store, clock, links } = services;
  const event = makeVisualEvent(presentVisual({ ...record, ...outcome }, links), outcome.completedAt);
  const messages = await makeMessages(event, {
    store,
    clock,
    accountId: record.accountId,
    environment: record.environment,
    resourceId: record.id,
    simulate: job.simulate.webhook,
  });
  if (!(await store.inspections.finish(record.id, attempt.token, { ...outcome, messages }))) {
    await removeOutputs(record.id, (number) => number === attempt.number, store);
    return false;
  }
  services.dispatcher.wake();
  await cleanUp(task, attempt);
  return true;
}

/** Stores the outcome unless another process has taken the job. Returns true if it was stored. */
async function storeUnlessLost(
  task: RunningJob,
  attempt: Attempt,
  outcome: StoredOutcome,
  lost: AbortSignal,
): Promise<boolean> {
  if (!lost.aborted) return storeOutcome(task, attempt, outcome);
  await removeOutputs(task.record.id, (number) => number === attempt.number, task.services.store);
  return false;
}

function makeInterruptedError({ number, crashedPhotos, lastOpenedPhoto }: Attempt): VehiError {
  const photos = [...new Set([...crashedPhotos, ...(lastOpenedPhoto === null ? [] : [lastOpenedPhoto])])];
  const suspects =
    photos.length === 0 ? '' : ` It was opening ${photos.map((photo) => `images[${photo}]`).join(', ')}.`;
  const message = `The analysis of these photos was cut off ${number - 1} times.${suspects}`;
  return new VehiError('engine', 'INTERRUPTED', message, {
    ...(photos.length === 0 ? {} : { details: { images: photos } }),
  });
}

async function analyseOrFail(
  { record, job, services, signal, inChild }: RunningJob,
  attempt: Attempt,
): Promise<StoredOutcome> {
  const { log, quarantine } = services;
  try {
    const { number, interruptions, crashedPhotos } = attempt;
    if (
      interruptions >= MAX_INTERRUPTIONS ||
      number > MAX_ATTEMPTS ||
      crashedPhotos.length >= MAX_CRASHED_PHOTOS
    )
      throw makeInterruptedError(attempt);
    return toOutcome(await analyse(record, job, attempt, services, signal, inChild ? quarantine : undefined));
  } catch (error) {
    if (isStorageFailure(error) || error instanceof ChildDied || error instanceof NoChild) throw error;
    if (!(error instanceof VehiError)) log.error({ inspection: record.id, err: error }, 'analysis failed');
    return toFailedOutcome(record, error, services);
  }
}

/** Returns true if the job must run in quarantine, because it or other jobs of its account have crashed a process. */
async function needsQuarantine({ id, accountId, attempts }: InspectionRecord, services: Services) {
  if (!services.quarantine) return false;
  // An attempt this process holds but could not give back crashed nothing.
  const interruptions = attempts - (services.heldAttempts.has(id) ? 1 : 0);
  return interruptions > 0 || (await services.store.inspections.countRecentCrashes(accountId)) >= MAX_CRASHES;
}

/** Retries until an attempt has an outcome; each dead child costs one. Returns undefined if the job ended elsewhere. */
async function runAttempts(
  task: RunningJob,
  onStart: (attempt: Attempt) => void,
): Promise<{ readonly attempt: Attempt; readonly outcome: StoredOutcome } | undefined> {
  const { record, services, inChild } = task;
  const { store, metrics, log } = services;
  for (;;) {
    const startError = inChild ? await ensureChild(record.id, services) : undefined;
    const attempt = await store.inspections.startAttempt(record.id, inChild);
    if (!attempt) return undefined;
    onStart(attempt);
    if (startError) return { attempt, outcome: toFailedOutcome(record, startError, services) };
    metrics.attempts.inc({ number: Math.min(attempt.number, MAX_INTERRUPTIONS + 1) });
    try {
      const outcome = await analyseOrFail(task, attempt);
      if (outcome.status === 'completed') metrics.photosSkipped.inc(attempt.crashedPhotos.length);
      return { attempt, outcome };
    } catch (error) {
      if (!(error instanceof ChildDied)) throw error;
      metrics.childrenDied.inc();
      const { photo, message } = error;
      log.warn({ inspection: record.id, attempt: attempt.number, photo, reason: message }, 'quarantine');
      await store.inspections.recordCrash(record.id, attempt.token, photo);
    }
  }
}

/**
 * Runs the job of one stored inspection and stores its outcome; never rejects. Returns `quarantine` if the job must run
 * in a child process, or `again` if the process is stopping or the outcome cannot be stored (disk full, lock held
 * elsewhere, database unreachable), in which case the attempt does not count.
 * @param signal aborts when another process takes the job; nothing is stored then
 * @param inChild opens the photos in a child process
 */
export async function runVisualJob(
  id: string,
  services: Services,
  signal: AbortSignal,
  inChild: boolean,
): Promise<JobEnd> {
  const { store, log, metrics, clock, stopwatch, settings } = services;
  const startedMs = clock.monotonicMs();
  const elapsedSeconds = () => (clock.monotonicMs() - startedMs) / 1000;
  let attempt: Attempt | undefined;
  let end: JobEnd = 'ended';
  let chargeTime: (() => Promise<void>) | undefined;
  try {
    const record = await store.inspections.get(id);
    if (record?.status !== 'processing') return end;
    const job = record.request as VisualJob;
    if (job.simulate.outcome === 'processing') return end;
    if (!inChild && (await needsQuarantine(record, services))) {
      end = 'quarantine';
      return end;
    }
    services.queue.recordStart(record.tag);
    const stopMeter = services.meters[inChild ? 'inChild' : 'inProcess'].start();
    chargeTime = () => chargeExtraTime(record, stopMeter(), services);
    await releaseHeldAttempt(id, services);
    const jobSignal = AbortSignal.any([signal, AbortSignal.timeout(settings.jobTimeoutMs)]);
    const task: RunningJob = { record, job, services, signal: jobSignal, inChild };
    const finished = await runAttempts(task, (startedAttempt) => {
      attempt = startedAttempt;
    });
    if (!finished) return end;
    const { outcome } = finished;
    if (signal.reason === STOPPING) {
      // The process stops before the analysis ended, so the attempt does not count.
      await removeOutputs(id, (number) => number === finished.attempt.number, store);
      await store.inspections.revertAttempt(id, finished.attempt);
      end = 'again';
      return end;
    }
    const isStored = await storeUnlessLost(task, finished.attempt, outcome, signal);
    metrics.analyses.observe({ outcome: isStored ? outcome.status : 'refused' }, elapsedSeconds());
    const { failure } = outcome.meta as { failure?: { code: string } };
    log.info(
      {
        inspection: id,
        account: record.accountId,
        request: job.requestId,
        outcome: isStored ? outcome.status : 'refused',
        code: failure?.code,
        photos: job.images.length,
        attempt: finished.attempt.number,
        seconds: roundTo(elapsedSeconds(), 2),
      },
      'analysis',
    );
  } catch (error) {
    end = 'again';
    log.error({ inspection: id, err: error }, 'analysis could not be made or stored; it is tried again');
    metrics.analyses.observe({ outcome: 'unstored' }, elapsedSeconds());
    if (attempt) {
      services.heldAttempts.set(id, attempt);
      await releaseHeldAttempt(id, services).catch(() => undefined);
    }
  } finally {
    await chargeTime?.();
    if (end === 'ended') stopwatch.forget(id);
  }
  return end;
}

/** Gives back an attempt of this process whose outcome could not be stored. */
async function releaseHeldAttempt(id: string, { store, heldAttempts }: Services): Promise<void> {
  const attempt = heldAttempts.get(id);
  if (!attempt) return;
  await store.inspections.revertAttempt(id, attempt);
  heldAttempts.delete(id);
}

/** Charges the account for processor time beyond the estimate from its photo count, which delays its next jobs. */
async function chargeExtraTime(
  { id, accountId, request }: InspectionRecord,
  seconds: number,
  { store, queue: task, log }: Services,
): Promise<void> {
  const photos = (request as VisualJob).images.length;
  if (computeExtraCost({ photos, weight: 1 }, seconds) === 0) return;
  try {
    const account = await store.accounts.get(accountId);
    if (account)
      await task.charge(accountId, computeExtraCost({ photos, weight: findWeight(account) }, seconds));
  } catch (error) {
    log.warn({ inspection: id, reason: (error as Error).message }, 'time was not charged');
  }
}

/**
 * Child start failures per job in one process, with a pause after each: the machine may be short of memory temporarily.
 */
const MAX_CHILD_STARTS = 8;

/**
 * Ensures that a child process is running to open the photos of a quarantined job. Returns the error that fails the job
 * after too many start failures; earlier failures cost no attempt.
 * @throws NoChild if a retry after a pause may succeed
 */
async function ensureChild(
  id: string,
  { quarantine, failedStarts, metrics, log }: Services,
): Promise<VehiError | undefined> {
  try {
    await quarantine?.ready();
    failedStarts.delete(id);
    return undefined;
  } catch (error) {
    if (!(error instanceof NoChild)) throw error;
    metrics.childStartsFailed.inc();
    const failures = (failedStarts.get(id) ?? 0) + 1;
    failedStarts.set(id, failures);
    if (failures < MAX_CHILD_STARTS) throw error;
    failedStarts.delete(id);
    log.error({ inspection: id, starts: failures, reason: error.message }, 'quarantine cannot be started');
    return new VehiError(
      'engine',
      'QUARANTINE_UNAVAILABLE',
      'The service opens these photos in a process of its own, because an analysis of this account was cut off before, and could not start it. Send them again later; the operator finds the reason in the log.',
    );
  }
}

/** Converts an error to the failure shown to the caller, without internal details. */
function explainFailure(error: unknown): {
  code: string;
  message: string;
  field?: string;
  details?: unknown;
} {
  if (!(error instanceof VehiError))
    return { code: 'INTERNAL_ERROR', message: 'The analysis failed through a fault of the service.' };
  const { code, field, details } = error;
  // Messages of model errors name files on this machine.
  const message = code.startsWith('MODEL_')
    ? 'The service cannot load its models; its operator has to fix that.'
    : error.message;
  return {
    code,
    message,
    ...defined({ field, details }),
  };
}

/** Returns the stored outcome of a failed analysis. */
function toFailedOutcome(record: InspectionRecord, error: unknown, { stopwatch }: Services): StoredOutcome {
  const failure = explainFailure(error);
  const { completedAt, processingTime } = stopwatch.read(record.id, record.createdAt);
  const document = makeEmptyInspection(record.id, record.vehicleId, record.createdAt, {
    completedAt,
    processingTime,
    ...failure,
  });
  const meta = { ...(record.meta as object), processing_time: processingTime, failure };
  return { status: 'failed', completedAt, document, meta };
}

/** Returns the stored outcome of a finished analysis. */
function toOutcome({ data, meta }: InspectionEnvelope): StoredOutcome {
  const status = data.status === 'failed' ? 'failed' : 'completed';
  return { status, completedAt: data.completed_at ?? data.created_at, document: data, meta };
}
