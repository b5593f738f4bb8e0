import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { VehiError } from '../../lib/errors.ts';

/** A data directory held for one running service. */
export interface ServiceLock {
  /** The file that is locked, as the system numbers it: another one where `serve.lock` was removed and made again. */
  readonly id: string;
  /**
   * Checks whether the locked file is still the one in the directory, and locks a file that has replaced it. Returns
   * 'lost' where another service holds that file.
   */
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

function readId(file: string): string | undefined {
  const facts = statSync(file, { throwIfNoEntry: false, bigint: true });
  return facts && `${facts.dev}:${facts.ino}`;
}

/** Locks `serve.lock` in the directory. @throws VehiError usage/DATA_DIRECTORY_IN_USE */
function lockFile(directory: string): { db: InstanceType<typeof DatabaseSync>; id: string } {
  const file = join(directory, LOCK_FILE);
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
    return { db, id: readId(file) ?? '' };
  } catch (cause) {
    db.close();
    throw /lock|busy/i.test((cause as Error).message) ? makeInUseError(directory, cause) : cause;
  }
}

/**
 * Takes the data directory, which must exist, for one running service. Two services would take up each other's
 * unfinished inspections. The lock is the one that SQLite holds on `serve.lock` while a transaction is open: the system
 * ends it when the process ends, however it ends, and there is no stale file to remove. `vehi admin keys`, `accounts` and
 * `data` need no lock: they work while a service is running.
 * @throws VehiError usage/DATA_DIRECTORY_IN_USE.
 */
export function lockForService(directory: string): ServiceLock {
  let held = lockFile(directory);
  return {
    get id() {
      return held.id;
    },
    renew() {
      if (readId(join(directory, LOCK_FILE)) === held.id) return 'held';
      try {
        const fresh = lockFile(directory);
        held.db.close();
        held = fresh;
        return 'renewed';
      } catch (error) {
        if (error instanceof VehiError) return 'lost';
        // The directory itself is missing, and with it the locked file.
        return 'held';
      }
    },
    release: () => held.db.close(),
  };
}
