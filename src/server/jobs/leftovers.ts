import type { Store } from '../../storage/ports.ts';
import { isPhoto, parseAttempt } from './visual-job.ts';

/** Removes the output files of every attempt that `matches` accepts. */
export async function removeOutputs(
  id: string,
  matches: (attempt: number) => boolean,
  { blobs }: Pick<Store, 'blobs'>,
): Promise<void> {
  for (const name of await blobs.list(id)) {
    const fileAttempt = parseAttempt(name);
    if (fileAttempt !== undefined && matches(fileAttempt)) await blobs.remove(id, name);
  }
}

/**
 * Cleans up after jobs whose process died right after storing the result: removes photos that are not kept, and the
 * files of superseded attempts. @param beforeMs only jobs that ended before this time, epoch ms
 */
export async function removeLeftovers(
  store: Pick<Store, 'blobs' | 'inspections'>,
  { keepPhotos }: { readonly keepPhotos: boolean },
  beforeMs?: number,
): Promise<void> {
  for (;;) {
    const ids = await store.inspections.listPendingCleanups(beforeMs);
    if (ids.length === 0) return;
    for (const id of ids) {
      const record = await store.inspections.get(id);
      if (!record) continue;
      await removeOutputs(id, (fileAttempt) => fileAttempt !== record.attempts, store);
      if (keepPhotos) continue;
      for (const name of await store.blobs.list(id)) if (isPhoto(name)) await store.blobs.remove(id, name);
    }
    await store.inspections.markCleanedUp(ids);
  }
}
