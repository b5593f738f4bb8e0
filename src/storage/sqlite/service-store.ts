import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../ports.ts';
import { lockForService } from './service-lock.ts';
import { DATABASE_FILE, makeDataDirectory, openDirectoryStore } from './store.ts';

/** A store that one running service has for itself. */
export interface ServiceStore {
  readonly store: Store;
  /** Files of the database that others could read until now. */
  readonly narrowed: readonly string[];
  /** Lets another service have the directory; after the store is closed. */
  unlock(): void;
}

/** Database files made by a version that left their rights to the umask: for their owner only from now on. */
function narrowRights(directory: string): string[] {
  const open = (file: string) => ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
  return ['', '-wal', '-shm']
    .map((suffix) => join(directory, DATABASE_FILE + suffix))
    .filter((file) => {
      if (!open(file)) return false;
      try {
        chmodSync(file, 0o600);
      } catch {
        // Another user's file: not ours to close.
        return false;
      }
      return !open(file);
    });
}

/**
 * The store of a data directory, made where absent, for one running service. The lock comes first: opening the database
 * migrates it, and a service that is to be refused must not do that to the one that runs.
 * @throws VehiError usage/DATA_DIRECTORY_IN_USE, and those of `openDirectoryStore`.
 */
export function openServiceStore(directory: string): ServiceStore {
  makeDataDirectory(directory);
  const unlock = lockForService(directory);
  try {
    const narrowed = narrowRights(directory);
    return { store: openDirectoryStore(directory), narrowed, unlock };
  } catch (error) {
    unlock();
    throw error;
  }
}
