import type { Attempt, Store } from '../../storage/ports.ts';
import { removeFilesOf } from '../../storage/removal.ts';
import { isPhoto } from '../photo-files.ts';
import { parseAttempt, type VisualJob } from './visual-job.ts';

/** Removes the files written by an attempt whose outcome is not stored. */
export const removeOutputs = (id: string, { number }: Attempt, store: Pick<Store, 'blobs'>) =>
  removeFilesOf(id, (name) => parseAttempt(name) === number, store);

/** Removes what a stored result no longer needs: photos that are not kept, and the files of superseded attempts. */
export function removeLeftovers(
  id: string,
  attempts: number,
  { settings }: VisualJob,
  store: Pick<Store, 'blobs'>,
): Promise<void> {
  const isLeftover = (name: string) =>
    isPhoto(name) ? !settings.keepPhotos : (parseAttempt(name) ?? attempts) !== attempts;
  return removeFilesOf(id, isLeftover, store);
}

/**
 * Removes leftovers of jobs whose process died right after storing the result, or whose superseded attempt was still
 * writing. @param beforeMs only jobs that ended before this time, epoch ms
 */
export async function sweepLeftovers(
  store: Pick<Store, 'blobs' | 'inspections'>,
  beforeMs?: number,
): Promise<void> {
  for (;;) {
    const ids = await store.inspections.listPendingCleanups(beforeMs);
    if (ids.length === 0) return;
    for (const id of ids) {
      const record = await store.inspections.get(id);
      if (record) await removeLeftovers(id, record.attempts, record.request as VisualJob, store);
    }
    await store.inspections.markCleanedUp(ids);
  }
}
