import { chmodSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Store } from '../ports.ts';
import { acquireServiceLock, type ServiceLock } from './service-lock.ts';
import { DATABASE_FILE, makeDataDirectory, openDirectoryStore } from './store.ts';

/** A store used exclusively by one running service. */
export interface ServiceStore {
  readonly store: Store;
  /** Database files that were accessible to other users and have been restricted. */
  readonly securedFiles: readonly string[];
  /** Resolves if another service took over the directory, which requires that its lock was removed by hand. */
  readonly lockLost: Promise<void>;
  /** Releases the directory to other services; to be called after closing the store. */
  unlock(): void;
}

/** Interval at which a service checks that its lock is still in the directory. */
const RENEW_MS = 1_000;
/** Time in which a running service notices that its lock was removed and acquires the new one. */
const HANDOVER_MS = 3 * RENEW_MS;

/** Restricts database files to their owner; an earlier version left their permissions to the umask. */
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
        // Another user's file, whose permissions cannot be changed.
        return false;
      }
      return !isOpenToOthers(file);
    });
}

/**
 * Locks the directory. If the lock file is not the last service's, it was removed, perhaps while that service still
 * runs; it then gets time to lock the new file first.
 */
async function lockDirectory(directory: string, database: string): Promise<ServiceLock> {
  const lock = acquireServiceLock(directory);
  const holder = readLockHolder(database);
  if (holder === undefined || holder === lock.id) return lock;
  lock.release();
  await sleep(HANDOVER_MS);
  return acquireServiceLock(directory);
}

/** Records the lock in the database and keeps renewing it; calls `onLost` once. Returns the stop function. */
function maintainLock(lock: ServiceLock, database: string, onLost: () => void): () => void {
  let recordedId: string | undefined;
  const recordLock = () => {
    if (recordedId === lock.id) return;
    try {
      recordLockHolder(database, lock.id);
      recordedId = lock.id;
    } catch {
      // Another connection is writing; retried at the next interval.
    }
  };
  recordLock();
  const timer = setInterval(() => {
    if (lock.renew() === 'lost') {
      clearInterval(timer);
      onLost();
    } else recordLock();
  }, RENEW_MS).unref();
  return () => clearInterval(timer);
}

/**
 * Opens the store of a data directory for one running service, creating it if absent. It locks first, because opening
 * migrates the database, and a refused service must not migrate that of a running one.
 * @throws VehiError usage/DATA_DIRECTORY_IN_USE, and those of `openDirectoryStore`.
 */
export async function openServiceStore(directory: string): Promise<ServiceStore> {
  makeDataDirectory(directory);
  const database = join(directory, DATABASE_FILE);
  const lock = await lockDirectory(directory, database);
  try {
    const securedFiles = restrictPermissions(directory);
    const store = openDirectoryStore(directory);
    let stopRenewal = () => {};
    const lockLost = new Promise<void>((resolve) => {
      stopRenewal = maintainLock(lock, database, resolve);
    });
    const unlock = () => {
      stopRenewal();
      lock.release();
    };
    return { store, securedFiles, lockLost, unlock };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Reads the recorded lock of the service that last used a database; undefined if none. Read-only. */
function readLockHolder(databaseFile: string): string | undefined {
  if (!existsSync(databaseFile)) return undefined;
  let db: InstanceType<typeof DatabaseSync> | undefined;
  try {
    db = new DatabaseSync(databaseFile, { readOnly: true, timeout: 1_000 });
    return (db.prepare('SELECT lock FROM service').get() as { lock: string } | undefined)?.lock;
  } catch {
    // Predates recorded locks or is no database, which opening it reports.
    return undefined;
  } finally {
    db?.close();
  }
}

/** Records the lock of the service that uses a database. @throws if another connection is writing. */
function recordLockHolder(databaseFile: string, lock: string): void {
  const db = new DatabaseSync(databaseFile, { timeout: 0 });
  try {
    db.exec('BEGIN IMMEDIATE; DELETE FROM service');
    db.prepare('INSERT INTO service VALUES (?)').run(lock);
    db.exec('COMMIT');
  } finally {
    db.close();
  }
}
