import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/durations.ts';
import { VehiError } from '../lib/errors.ts';
import { RECORD_ID } from '../lib/ids.ts';
import { finishRemovals, removeInspections } from '../storage/removal.ts';
import { IDEMPOTENCY_MS } from './http/idempotency.ts';
import { SESSION_IDLE_MS, SESSION_MS } from './http/session.ts';
import { removeLeftovers } from './jobs/leftovers.ts';
import { sweepUploads } from './photos/kept-uploads.ts';
import { sweepViews } from './reviews/views.ts';
import type { Services } from './services.ts';
import { computeLongestWaitMs } from './webhooks/outcome.ts';

/** Minimum age at which files without a record are removed: a younger record may still be in creation. */
const ORPHAN_MS = HOUR_MS;
/** Another process takes over from one that died at it. */
const LEASE_MS = 30 * MINUTE_MS;
const RATES_KEPT_MS = 2 * HOUR_MS;
/** Owners of files looked up at once, and the pause after that. */
const OWNERS_AT_ONCE = 200;
const PAUSE_MS = 20;

/**
 * Prepares the store before the first request: notes that this process lives, and removes creations that a crash cut
 * off. Returns the owners of all files.
 * @throws VehiError usage/DATABASE_LOST for files of inspections next to a database that never held any.
 */
export async function prepareStore({ store, self }: Services): Promise<readonly string[]> {
  if (store.shared) {
    // Others are at work: what a crash left is found by its age.
    await store.processes.begin(self);
    return [];
  }
  // What else lies in the folder is not ours to move.
  const owners = (await store.blobs.owners()).filter((owner) => RECORD_ID.test(owner));
  if (owners.length > 0 && (await store.inspections.neverUsed())) {
    throw new VehiError(
      'usage',
      'DATABASE_LOST',
      `the data directory has files of ${owners.length} inspections, but its database vehi.db is new or empty.`,
      {
        hint: 'Restore a backup of vehi.db made with `vehi admin data backup`. To begin without the inspections, move the folder files away first.',
      },
    );
  }
  await store.blobs.clearStaged();
  await store.processes.begin(self);
  return owners;
}

/** Finishes removals, and removes what has expired. Returns false where another process does it. */
export async function runHousekeeping({
  store,
  settings,
  clock,
  self,
  dispatcher,
}: Services): Promise<boolean> {
  if (!(await store.leases.take('housekeeping', self.id, LEASE_MS))) return false;
  const nowMs = clock.wallMs();
  if (store.shared) {
    await store.blobs.clearStaged(nowMs - ORPHAN_MS);
    for (const owner of await store.blobs.orphans(nowMs - ORPHAN_MS)) await store.blobs.remove(owner);
  }
  // Where others work too, an attempt that was overtaken may still be making files.
  await removeLeftovers(store, settings, store.shared ? nowMs - ORPHAN_MS : undefined);
  await store.idempotency.sweep(nowMs - IDEMPOTENCY_MS);
  await store.rates.sweep(nowMs - RATES_KEPT_MS);
  await sweepUploads(nowMs, store);
  await sweepViews(nowMs, settings.keepViewsDays, store);
  await store.sessions.sweep(nowMs - SESSION_MS, nowMs - SESSION_IDLE_MS);
  await finishRemovals(store);
  const latestMs = nowMs + computeLongestWaitMs(settings.webhookRetrySeconds);
  if ((await store.webhooks.bringForward(latestMs, nowMs)) > 0) dispatcher.wake();
  if (settings.keepDays === undefined) return true;
  const before = new Date(nowMs - settings.keepDays * DAY_MS).toISOString();
  await removeInspections(store, { before });
  return true;
}

/**
 * Moves files that the database does not know (it is older than they are) out of the way. They are never removed: the
 * right database may come back. `owners` are those of before the start, so that no creation under way is among them.
 */
export async function setUnknownFilesAside(
  owners: readonly string[],
  { store, log }: Services,
): Promise<void> {
  let moved = 0;
  for (let i = 0; i < owners.length; i += OWNERS_AT_ONCE) {
    const unknown = await store.inspections.unknown(owners.slice(i, i + OWNERS_AT_ONCE));
    for (const owner of unknown) await store.blobs.setAside(owner);
    moved += unknown.length;
    await sleep(PAUSE_MS);
  }
  if (moved > 0) {
    log.warn(
      { owners: moved, folder: 'files-set-aside' },
      'files of inspections that the database does not know were moved out of the way',
    );
  }
}
