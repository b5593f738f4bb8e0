import { chmodSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Store } from '../ports.ts';
import { lockForService, type ServiceLock } from './service-lock.ts';
import { DATABASE_FILE, makeDataDirectory, openDirectoryStore } from './store.ts';

/** A store that one running service has for itself. */
export interface ServiceStore {
  readonly store: Store;
  /** Files of the database that others could read until now. */
  readonly narrowed: readonly string[];
  /** Resolves when the directory was lost to another service, which can be only after its lock was removed by hand. */
  readonly lost: Promise<void>;
  /** Lets another service have the directory; after the store is closed. */
  unlock(): void;
}

/** How often a service looks whether its lock is still the one in the directory. */
const RENEW_MS = 1_000;
/** Time in which a running service notices that its lock was removed, and takes the new one. */
const HANDOVER_MS = 3 * RENEW_MS;

/** Restricts database files to their owner: an earlier version left their permissions to the umask. */
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
 * Takes the directory. Where the lock is not the file that the last service held, somebody removed it, perhaps from
 * under a service that still runs: that one gets the time to take it again.
 */
async function takeDirectory(directory: string, database: string): Promise<ServiceLock> {
  const lock = lockForService(directory);
  const holder = readLockHolder(database);
  if (holder === undefined || holder === lock.id) return lock;
  lock.release();
  await sleep(HANDOVER_MS);
  return lockForService(directory);
}

/** Notes whose the directory is, and keeps it so. `onLost` is called once. Returns the function that ends it. */
function keepDirectory(lock: ServiceLock, database: string, onLost: () => void): () => void {
  let noted: string | undefined;
  const note = () => {
    if (noted === lock.id) return;
    try {
      noteLockHolder(database, lock.id);
      noted = lock.id;
    } catch {
      // Somebody else is writing: next time.
    }
  };
  note();
  const timer = setInterval(() => {
    if (lock.renew() !== 'lost') return note();
    clearInterval(timer);
    onLost();
  }, RENEW_MS).unref();
  return () => clearInterval(timer);
}

/**
 * Opens the store of a data directory, made where absent, for one running service. The lock comes first: opening the
 * database migrates it, and a service that is to be refused must not do that to the one that runs.
 * @throws VehiError usage/DATA_DIRECTORY_IN_USE, and those of `openDirectoryStore`.
 */
export async function openServiceStore(directory: string): Promise<ServiceStore> {
  makeDataDirectory(directory);
  const database = join(directory, DATABASE_FILE);
  const lock = await takeDirectory(directory, database);
  try {
    const narrowed = narrowRights(directory);
    const store = openDirectoryStore(directory);
    let endWatch = () => {};
    const lost = new Promise<void>((done) => {
      endWatch = keepDirectory(lock, database, done);
    });
    const unlock = () => {
      endWatch();
      lock.release();
    };
    return { store, narrowed, lost, unlock };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Reads the lock of the service that last used a database; undefined where none is noted. Writes nothing. */
function readLockHolder(databaseFile: string): string | undefined {
  if (!existsSync(databaseFile)) return undefined;
  let db: InstanceType<typeof DatabaseSync> | undefined;
  try {
    db = new DatabaseSync(databaseFile, { readOnly: true, timeout: 1_000 });
    return (db.prepare('SELECT lock FROM service').get() as { lock: string } | undefined)?.lock;
  } catch {
    // Made before locks were noted, or no database: whoever opens it says so.
    return undefined;
  } finally {
    db?.close();
  }
}

/** Notes the lock of the service that uses a database. @throws where another connection is writing. */
function noteLockHolder(databaseFile: string, lock: string): void {
  const db = new DatabaseSync(databaseFile, { timeout: 0 });
  try {
    db.exec('BEGIN IMMEDIATE; DELETE FROM service');
    db.prepare('INSERT INTO service VALUES (?)').run(lock);
    db.exec('COMMIT');
  } finally {
    db.close();
  }
}
