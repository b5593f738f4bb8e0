import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { VehiError } from '../../lib/errors.ts';

/** A data directory locked for one running service. */
export interface ServiceLock {
  /** Device and inode of the locked file; they change if `serve.lock` is removed and recreated. */
  readonly id: string;
  /** Locks a replacement of the locked file in the directory; returns 'lost' if another service holds it. */
  renew(): 'held' | 'renewed' | 'lost';
  /** Releases the lock. */
  release(): void;
}

const LOCK_FILE = 'serve.lock';

const makeInUseError = (directory: string, cause: unknown) =>
  new VehiError(
    'usage',
    'DATA_DIRECTORY_IN_USE',
    `${directory}: another vehi serve is running with this data directory.`,
    { hint: 'Stop it first, or name another directory with --data.', cause },
  );

function readFileId(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stats && `${stats.dev}:${stats.ino}`;
}

/** Locks `serve.lock` in the directory. @throws VehiError usage/DATA_DIRECTORY_IN_USE */
function acquireFileLock(directory: string): { db: InstanceType<typeof DatabaseSync>; id: string } {
  const file = join(directory, LOCK_FILE);
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
    return { db, id: readFileId(file) ?? '' };
  } catch (cause) {
    db.close();
    throw /lock|busy/i.test((cause as Error).message) ? makeInUseError(directory, cause) : cause;
  }
}

/**
 * Locks an existing data directory for one running service, because two would both resume its unfinished inspections.
 * SQLite holds the lock on `serve.lock` during an open transaction, so the system releases it when the process ends for
 * any reason, and no stale lock remains. `vehi admin keys`, `accounts` and `data` need no lock and work while a service
 * is running.
 * @throws VehiError usage/DATA_DIRECTORY_IN_USE.
 */
export function acquireServiceLock(directory: string): ServiceLock {
  let current = acquireFileLock(directory);
  return {
    get id() {
      return current.id;
    },
    renew() {
      if (readFileId(join(directory, LOCK_FILE)) === current.id) return 'held';
      try {
        const replacement = acquireFileLock(directory);
        current.db.close();
        current = replacement;
        return 'renewed';
      } catch (error) {
        if (error instanceof VehiError) return 'lost';
        // The directory itself is missing, and the locked file with it.
        return 'held';
      }
    },
    release: () => current.db.close(),
  };
}
