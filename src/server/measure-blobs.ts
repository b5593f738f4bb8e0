import type { BlobStore } from '../storage/ports.ts';
import type { Metrics } from './metrics.ts';

/** Returns the same files, with the time of each call and its failure counted. */
export function measureBlobs(blobs: BlobStore, { files, fileErrors }: Metrics): BlobStore {
  const measure = async <Answer>(operation: string, call: () => Promise<Answer>): Promise<Answer> => {
    const end = files.startTimer({ operation });
    try {
      return await call();
    } catch (error) {
      fileErrors.inc({ operation });
      throw error;
    } finally {
      end();
    }
  };
  return {
    ...blobs,
    put: (...asked) => measure('write', () => blobs.put(...asked)),
    stage: (...asked) => measure('write', () => blobs.stage(...asked)),
    adopt: (...asked) => measure('write', () => blobs.adopt(...asked)),
    get: (...asked) => measure('read', () => blobs.get(...asked)),
    getStaged: (...asked) => measure('read', () => blobs.getStaged(...asked)),
    stageCopy: (...asked) => measure('copy', () => blobs.stageCopy(...asked)),
    list: (...asked) => measure('list', () => blobs.list(...asked)),
    owners: (...asked) => measure('list', () => blobs.owners(...asked)),
    remove: (...asked) => measure('remove', () => blobs.remove(...asked)),
    unstage: (...asked) => measure('remove', () => blobs.unstage(...asked)),
  };
}
