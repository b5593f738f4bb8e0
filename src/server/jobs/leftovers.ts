import type { Store } from '../../storage/ports.ts';
import { isPhoto, readAttempt } from './visual-job.ts';

/** Removes the files that attempts have made, as far as they fit. */
export async function removeOutputs(
  id: string,
  fits: (attempt: number) => boolean,
  { blobs }: Pick<Store, 'blobs'>,
): Promise<void> {
  for (const name of await blobs.list(id)) {
    const made = readAttempt(name);
    if (made !== undefined && fits(made)) await blobs.remove(id, name);
  }
}

/**
 * Removes what ended work left whose process died right after storing the result: the photos, unless they are kept, and
 * files of attempts whose result was not the one. All such work, or what ended before a time.
 */
export async function removeLeftovers(
  store: Pick<Store, 'blobs' | 'inspections'>,
  { keepPhotos }: { readonly keepPhotos: boolean },
  beforeMs?: number,
): Promise<void> {
  for (;;) {
    const ids = await store.inspections.leftovers(beforeMs);
    if (ids.length === 0) return;
    for (const id of ids) {
      const record = await store.inspections.get(id);
      if (!record) continue;
      await removeOutputs(id, (made) => made !== record.attempts, store);
      if (keepPhotos) continue;
      for (const name of await store.blobs.list(id)) if (isPhoto(name)) await store.blobs.remove(id, name);
    }
    await store.inspections.tidied(ids);
  }
}
