import { existsSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';

/** Reads the lock of the service that last used a database; undefined where none is noted. Writes nothing. */
export function readLockHolder(databaseFile: string): string | undefined {
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
export function noteLockHolder(databaseFile: string, lock: string): void {
  const db = new DatabaseSync(databaseFile, { timeout: 0 });
  try {
    db.exec('BEGIN IMMEDIATE; DELETE FROM service');
    db.prepare('INSERT INTO service VALUES (?)').run(lock);
    db.exec('COMMIT');
  } finally {
    db.close();
  }
}
