import { VehiError } from '../../lib/errors.ts';
import { roundTo } from '../../lib/round.ts';
import type { Attempt, InspectionOutcome, InspectionRecord } from '../../storage/ports.ts';
import { isStorageTrouble } from '../http/api-error.ts';
import { presentVisual } from '../present-record.ts';
import type { Services } from '../services.ts';
import { makeMessages, makeVisualEvent } from '../webhooks/events.ts';
import { STOPPING, type WorkEnd } from '../work/port.ts';
import { ChildDied, NoChild } from '../work/quarantine.ts';
import { analyse } from './analyse.ts';
import { chargeTime } from './charge-time.ts';
import { startChildFor } from './child-starts.ts';
import { describeAnalysed, describeFailed } from './describe-outcome.ts';
import { removeOutputs } from './leftovers.ts';
import { namePhoto, type VisualJob } from './visual-job.ts';

/** Work is put back so often that was cut off with its process, which may have ended for another reason. */
const PUT_BACK_MAX = 10;
/** Work ends that so many photos of ended their child. */
const CRASHING_PHOTOS_MAX = 2;
/** An account with so many crashes within an hour begins in quarantine. */
const CRASHES_MAX = 3;

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
      await Promise.all(job.images.map((_image, index) => store.blobs.remove(record.id, namePhoto(index))));
    if (attempt.number === 1) await store.inspections.tidied([record.id]);
  } catch (error) {
    log.warn({ inspection: record.id, reason: (error as Error).message }, 'files are left to housekeeping');
  }
}

/**
 * Stores how an analysis ended, with its events, and removes its photos unless they are kept. Returns false where a
 * later attempt, or a removal, was faster: nothing is stored then, and the files of this attempt are removed.
 */
async function finish(
  record: InspectionRecord,
  job: VisualJob,
  attempt: Attempt,
  ended: Omit<InspectionOutcome, 'messages'>,
  services: Services,
): Promise<boolean> {
  const { store, clock, links } = services;
  const event = makeVisualEvent(presentVisual({ ...record, ...ended }, links), ended.completedAt);
  const messages = await makeMessages(event, {
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

/** Stores the outcome unless another process has the work by now; returns whether it did. */
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

function makeInterruptedError({ number, crashing, atPhoto }: Attempt): VehiError {
  const photos = [...new Set([...crashing, ...(atPhoto === null ? [] : [atPhoto])])];
  const suspects =
    photos.length === 0 ? '' : ` It was opening ${photos.map((photo) => `images[${photo}]`).join(', ')}.`;
  const message = `The analysis of these photos was cut off ${number - 1} times.${suspects}`;
  return new VehiError('engine', 'INTERRUPTED', message, {
    ...(photos.length === 0 ? {} : { details: { images: photos } }),
  });
}

async function analyseOrFail(
  record: InspectionRecord,
  job: VisualJob,
  attempt: Attempt,
  services: Services,
  signal: AbortSignal,
  apart: boolean,
): Promise<Omit<InspectionOutcome, 'messages'>> {
  const { log, quarantine } = services;
  try {
    if (attempt.number > PUT_BACK_MAX || attempt.crashing.length >= CRASHING_PHOTOS_MAX)
      throw makeInterruptedError(attempt);
    return describeAnalysed(
      await analyse(record, job, attempt, services, signal, apart ? quarantine : undefined),
    );
  } catch (error) {
    if (isStorageTrouble(error) || error instanceof ChildDied || error instanceof NoChild) throw error;
    if (!(error instanceof VehiError)) log.error({ inspection: record.id, err: error }, 'analysis failed');
    return describeFailed(record, error, services);
  }
}

/** Returns true for work that must not be started in this process: it, or others of its account, ended one before. */
async function belongsApart({ id, accountId, attempts }: InspectionRecord, services: Services) {
  if (!services.quarantine) return false;
  // An attempt of this process that could not be given back ended nothing.
  const cutOff = attempts - (services.heldAttempts.has(id) ? 1 : 0);
  return cutOff > 0 || (await services.store.inspections.recentCrashes(accountId)) >= CRASHES_MAX;
}

/**
 * Analyses until an attempt comes to something; a child that dies costs one attempt each time. Undefined where the work
 * has ended meanwhile.
 */
async function attemptUntilEnded(
  record: InspectionRecord,
  job: VisualJob,
  services: Services,
  signal: AbortSignal,
  apart: boolean,
  began: (attempt: Attempt) => void,
): Promise<{ attempt: Attempt; ended: Omit<InspectionOutcome, 'messages'> } | undefined> {
  const { store, metrics, log } = services;
  for (;;) {
    const noChild = apart ? await startChildFor(record.id, services) : undefined;
    const attempt = await store.inspections.startAttempt(record.id);
    if (!attempt) return undefined;
    began(attempt);
    if (noChild) return { attempt, ended: describeFailed(record, noChild, services) };
    metrics.attempts.inc({ number: Math.min(attempt.number, PUT_BACK_MAX + 1) });
    try {
      const ended = await analyseOrFail(record, job, attempt, services, signal, apart);
      if (ended.status === 'completed') metrics.photosSkipped.inc(attempt.crashing.length);
      return { attempt, ended };
    } catch (error) {
      if (!(error instanceof ChildDied)) throw error;
      metrics.childrenDied.inc();
      const { photo, message } = error;
      log.warn({ inspection: record.id, attempt: attempt.number, photo, reason: message }, 'quarantine');
      await store.inspections.crashed(record.id, attempt.token, photo);
    }
  }
}

/**
 * Does the work of one stored inspection and stores the outcome; never rejects. `quarantine` where it must be done
 * apart, in a child process. `again` where the outcome cannot be stored (full disk, lock held elsewhere, database
 * away): the attempt does not count then. Where `signal` aborts, another process has the work by now, and nothing is
 * stored.
 */
export async function runVisualJob(
  id: string,
  services: Services,
  signal: AbortSignal,
  apart: boolean,
): Promise<WorkEnd> {
  const { store, log, metrics, clock, stopwatch, settings } = services;
  const startedMs = clock.monotonicMs();
  const secondsGone = () => (clock.monotonicMs() - startedMs) / 1000;
  let attempt: Attempt | undefined;
  let end: WorkEnd = 'ended';
  let begun: InspectionRecord | undefined;
  try {
    const record = await store.inspections.get(id);
    if (record?.status !== 'processing') return end;
    const job = record.request as VisualJob;
    if (job.simulate.outcome === 'processing') return end;
    if (!apart && (await belongsApart(record, services))) {
      end = 'quarantine';
      return end;
    }
    services.work.began(record.tag);
    begun = record;
    await giveBackHeld(id, services);
    const limit = AbortSignal.any([signal, AbortSignal.timeout(settings.jobTimeoutMs)]);
    const done = await attemptUntilEnded(record, job, services, limit, apart, (started) => {
      attempt = started;
    });
    if (!done) return end;
    attempt = done.attempt;
    const { ended } = done;
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
        seconds: roundTo(secondsGone(), 2),
      },
      'analysis',
    );
  } catch (error) {
    end = 'again';
    log.error({ inspection: id, err: error }, 'analysis could not be made or stored; it is tried again');
    metrics.analyses.observe({ outcome: 'unstored' }, secondsGone());
    if (attempt) {
      services.heldAttempts.set(id, attempt.token);
      await giveBackHeld(id, services).catch(() => undefined);
    }
  } finally {
    if (begun) await chargeTime(begun, secondsGone(), services);
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
