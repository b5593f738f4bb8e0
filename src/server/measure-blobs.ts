import type { BlobStore } from '../storage/ports.ts';
import type { Metrics } from './metrics.ts';

/** What each call does to files, for the figures. */
const OPERATIONS = {
  put: 'write',
  stage: 'write',
  adopt: 'write',
  get: 'read',
  getStart: 'read',
  getStaged: 'read',
  stageCopy: 'copy',
  list: 'list',
  owners: 'list',
  remove: 'remove',
  unstage: 'remove',
} as const;

type Call = (...asked: unknown[]) => Promise<unknown>;

/** Returns the same files, with the time of each call and its failure counted. */
export function measureBlobs(blobs: BlobStore, { files, fileErrors }: Metrics): BlobStore {
  const measured = Object.entries(OPERATIONS).map(([name, operation]) => {
    const timed: Call = async (...asked) => {
      const end = files.startTimer({ operation });
      try {
        return await (blobs[name as keyof typeof OPERATIONS] as Call)(...asked);
      } catch (error) {
        fileErrors.inc({ operation });
        throw error;
      } finally {
        end();
      }
    };
    return [name, timed] as const;
  });
  return {
    ...blobs,
    ...(Object.fromEntries(measured) as unknown as Pick<BlobStore, keyof typeof OPERATIONS>),
  };
}
