import type { Store } from '../../storage/ports.ts';
import { isPhoto, readAttempt } from './visual-job.ts';

/** Removes the output files of those attempts for which `matches` returns true. */
export async function removeOutputs(
  id: string,
  matches: (attempt: number) => boolean,
  { blobs }: Pick<Store, 'blobs'>,
): Promise<void> {
  for (const name of await blobs.list(id)) {
    const made = readAttempt(name);
    if (made !== undefined && matches(made)) await blobs.remove(id, name);
  }
}

/**
 * Cleans up after work whose process died right after storing its result: removes the photos, unless they are to be
 * kept, and files of attempts other than the stored one. @param beforeMs only work that ended before it, epoch ms
 */
export async function removeLeftovers(
  store: Pick<Store, 'blobs' | 'inspections'>,
  { keepPhotos }: { readonly keepPhotos: boolean },
  beforeMs?: number,
): Promise<void> {
  for (;;) {
    const ids = await store.inspections.listUntidied(beforeMs);
    if (ids.length === 0) return;
    for (const id of ids) {
      const record = await store.inspections.get(id);
      if (!record) continue;
      await removeOutputs(id, (made) => made !== record.attempts, store);
      if (keepPhotos) continue;
      for (const name of await store.blobs.list(id)) if (isPhoto(name)) await store.blobs.remove(id, name);
    }
    await store.inspections.markTidied(ids);
  }
}
