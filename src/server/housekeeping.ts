import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/durations.ts';
import { VehiError } from '../lib/errors.ts';
import { formatCount } from '../lib/format-count.ts';
import { RECORD_ID } from '../lib/ids.ts';
import { finishRemovals, removeInspections } from '../storage/removal.ts';
import { IDEMPOTENCY_TTL_MS } from './http/idempotency.ts';
import { SESSION_IDLE_MS, SESSION_MS } from './http/session.ts';
import { sweepLeftovers } from './jobs/leftovers.ts';
import { sweepUploads } from './photos/uploads.ts';
import { sweepViews } from './reviews/views.ts';
import type { Services } from './services.ts';
import { computeMaxDelayMs } from './webhooks/outcome.ts';

/** Minimum age of files without a record before removal: a younger record may still be in creation. */
const ORPHAN_AGE_MS = HOUR_MS;
/** Time after which another process takes over from one that died. */
const LEASE_MS = 30 * MINUTE_MS;
const RATE_RETENTION_MS = 2 * HOUR_MS;
/** Age at which delivered and failed webhook messages, and files set aside, are removed. */
const LOG_RETENTION_MS = 30 * DAY_MS;

/**
 * Prepares the store before the first request: registers this process and removes creations that a crash interrupted.
 * Returns the inspections that have files; none for a shared store, where other processes may be creating files.
 * @throws VehiError usage/DATABASE_LOST if files of inspections exist but the database never held any.
 */
export async function prepareStore({ store, self }: Services): Promise<readonly string[]> {
  if (store.shared) {
    // Leftovers of a crash are detected by their age.
    await store.processes.register(self);
    return [];
  }
  // Only this service's own files are moved.
  const owners = (await store.blobs.listOwners()).filter((owner) => RECORD_ID.test(owner));
  if (owners.length > 0 && (await store.inspections.isUnused())) {
    throw new VehiError(
      'usage',
      'DATABASE_LOST',
      `the data directory has files of ${formatCount(owners.length, 'inspection')}, but its database vehi.db is new or empty.`,
      {
        hint: 'Restore a backup of vehi.db made with `vehi admin data backup`. To begin without the inspections, move the folder files away first.',
      },
    );
  }
  await store.blobs.clearStaged();
  await store.processes.register(self);
  return owners;
}

/** Completes removals and removes expired data. Returns false in a worker process, or while another process does it. */
export async function runHousekeeping(services: Services): Promise<boolean> {
  const { store, settings, clock, self, dispatcher } = services;
  // Worker processes skip housekeeping, because they lack the retention settings.
  if (self.kind === 'work') return false;
  if (!(await store.processes.acquireLease('housekeeping', self.id, LEASE_MS))) return false;
  const nowMs = clock.wallMs();
  if (store.shared) {
    await store.blobs.clearStaged(nowMs - ORPHAN_AGE_MS);
    const orphans = await store.blobs.listOrphans?.(nowMs - ORPHAN_AGE_MS);
    for (const owner of orphans ?? []) await store.blobs.remove(owner);
  }
  // In a shared store, a superseded attempt may still be writing files.
  await sweepLeftovers(store, store.shared ? nowMs - ORPHAN_AGE_MS : undefined);
  await store.idempotency.sweep(nowMs - IDEMPOTENCY_TTL_MS);
  await store.requestCounts.sweep(nowMs - RATE_RETENTION_MS);
  await sweepUploads(nowMs, store);
  await sweepViews(nowMs, settings.keepViewsDays, store);
  await store.sessions.sweep(nowMs - SESSION_MS, nowMs - SESSION_IDLE_MS);
  await finishRemovals(store);
  await store.webhooks.sweep(new Date(nowMs - LOG_RETENTION_MS).toISOString());
  await store.blobs.clearSetAside?.(nowMs - LOG_RETENTION_MS);
  const latestMs = nowMs + computeMaxDelayMs(settings.webhookRetrySeconds);
  if ((await store.webhooks.bringForward(latestMs, nowMs)) > 0) dispatcher.wake();
  if (settings.keepDays === undefined) return true;
  const before = new Date(nowMs - settings.keepDays * DAY_MS).toISOString();
  await removeInspections(store, { before });
  return true;
}

/**
 * Moves files without a record aside, because the database is probably older than the files, and keeps them for
 * `LOG_RETENTION_MS`, in which the right database can be restored. `owners` were listed before the start, which excludes
 * creations in progress.
 */
export async function setUnknownFilesAside(
  owners: readonly string[],
  { store, log }: Services,
): Promise<void> {
  let movedCount = 0;
  for (const owner of await store.inspections.filterUnknown(owners))
    if (await store.blobs.setAside?.(owner)) movedCount++;
  if (movedCount > 0) {
    log.warn(
      { owners: movedCount, folder: 'files-set-aside' },
      `files of inspections that the database does not know were moved out of the way; they are removed after ${LOG_RETENTION_MS / DAY_MS} days`,
    );
  }
}
