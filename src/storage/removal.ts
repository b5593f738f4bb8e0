import { setTimeout as sleep } from 'node:timers/promises';
import type { RemovalFilter, Store } from './ports.ts';

/** Records per transaction; one batch blocks the event loop for some milliseconds. */
const BATCH_SIZE = 100;
/** Pause between batches, for requests and other processes' writes. */
const PAUSE_MS = 20;

/**
 * Removes records with their events, keys and files, in batches with pauses. Returns their ids. Files that cannot be
 * removed now are left to `finishRemovals`.
 */
export async function removeInspections(store: Store, filter: RemovalFilter): Promise<string[]> {
  const removedIds: string[] = [];
  for (;;) {
    const ids = await store.inspections.purge(filter, BATCH_SIZE);
    await removeFiles(store, ids).catch(() => undefined);
    removedIds.push(...ids);
    if (ids.length < BATCH_SIZE) return removedIds;
    await sleep(PAUSE_MS);
  }
}

/** Completes removals whose files could not be removed, or to which a running analysis may have added files. */
export async function finishRemovals(store: Store): Promise<void> {
  await removeFiles(store, await store.inspections.listRemovals());
}

async function removeFiles(store: Store, owners: readonly string[]): Promise<void> {
  if (owners.length === 0) return;
  for (const owner of owners) await store.blobs.remove(owner);
  await store.inspections.markFilesRemoved(owners);
}

/** Removes the files of one owner that `matches` accepts. */
export async function removeFilesOf(
  owner: string,
  matches: (name: string) => boolean,
  { blobs }: Pick<Store, 'blobs'>,
): Promise<void> {
  const names = (await blobs.list(owner)).filter(matches);
  await Promise.all(names.map((name) => blobs.remove(owner, name)));
}
