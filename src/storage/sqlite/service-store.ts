import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { VehiError } from '../../lib/errors.ts';
import type { Store } from '../ports.ts';
import { isBusy } from './database.ts';
import { DATABASE_FILE, makeDataDirectory, openDirectoryStore } from './store.ts';

/** A store used exclusively by one running service. */
export interface ServiceStore {
  readonly store: Store;
  /** Database files that were accessible to other users and have been restricted. */
  readonly securedFiles: readonly string[];
  /** Releases the directory to other services; to be called after closing the store. */
  unlock(): void;
}

/** Restricts database files to their owner: a restored copy has the permissions of the umask. */
function restrictPermissions(directory: string): string[] {
  const isOpenToOthers = (file: string) =>
    ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
  return ['', '-wal', '-shm']
    .map((suffix) => join(directory, DATABASE_FILE + suffix))
    .filter((file) => {
      if (!isOpenToOthers(file)) return false;
      try {
        chmodSync(file, 0o600);
      } catch {
        // The file belongs to another user, so its permissions cannot be changed.
      }
      return !isOpenToOthers(file);
    });
}

/**
 * Locks an existing data directory for one running service, because two would both resume its unfinished inspections.
 * SQLite holds the lock on `serve.lock` during an open transaction, so the system releases it when the process ends for
 * any reason, and no stale lock remains. `vehi admin keys`, `accounts` and `data` need no lock and work while a service
 * is running. Returns the function that releases it.
 * @throws VehiError usage/DATA_DIRECTORY_IN_USE
 */
export function lockDirectory(directory: string): () => void {
  const db = new DatabaseSync(join(directory, 'serve.lock'), { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
    return () => db.close();
  } catch (cause) {
    db.close();
    if (!isBusy(cause)) throw cause;
    const message = `${directory}: another vehi serve is running with this data directory.`;
    throw new VehiError('usage', 'DATA_DIRECTORY_IN_USE', message, {
      hint: 'Stop it first, or name another directory with --data.',
      cause,
    });
  }
}

/**
 * Opens the store of a data directory for one running service, creating it if absent. Locks first, because opening
 * migrates the database, and a refused service must not migrate the database of a running one.
 * @throws VehiError usage/DATA_DIRECTORY_IN_USE, and those of `openDirectoryStore`.
 */
export function openServiceStore(directory: string): ServiceStore {
  makeDataDirectory(directory);
  const unlock = lockDirectory(directory);
  try {
    const securedFiles = restrictPermissions(directory);
    return { store: openDirectoryStore(directory), securedFiles, unlock };
  } catch (error) {
    unlock();
    throw error;
  }
}
