import { statSync } from 'node:fs';
import { backup, DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';
import { VehiError } from '../../lib/errors.ts';
import { makeTooNewError } from '../sql/database.ts';
import { groupWrites } from './group-commit.ts';
import { APPLICATION_ID, MIGRATIONS } from './migrations.ts';

export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

/** Thrown by writes after the database file was moved, deleted or replaced while open. */
export class DatabaseReplaced extends Error {
  override readonly name = 'DatabaseReplaced';
}

/** The calls that the stores use; prepared statements are cached. */
export interface Database {
  /**
   * Commits the callback with others of this event loop turn. Waits asynchronously for another connection's lock.
   * @throws DatabaseReplaced; SQLite's "database is locked" after some seconds of waiting.
   */
  write<T>(callback: () => T): Promise<T>;
  /** For use inside `write` or `transaction`; outside, it fails immediately if another connection holds the lock. */
  run(sql: string, ...values: Value[]): number;
  get(sql: string, ...values: Value[]): Row | undefined;
  all(sql: string, ...values: Value[]): Row[];
  /** Runs the callback in a transaction; it must be synchronous. */
  transaction<T>(callback: () => T): T;
  /**
   * Runs the callback in a savepoint and rolls back only that on failure; returns its value or its error.
   * @throws if the failure ended the whole transaction, as a full disk does.
   */
  runInSavepoint<T>(callback: () => T): { readonly value: T } | { readonly error: unknown };
  /** @throws DatabaseReplaced if the file is no longer the one that was opened. */
  checkNotReplaced(): void;
  backup(file: string): Promise<void>;
  close(): void;
}

/** Maximum wait for another writer when opening. */
const OPEN_TIMEOUT_MS = 5_000;

function migrate(db: InstanceType<typeof DatabaseSync>, file: string): void {
  const readVersion = () => Number((db.prepare('PRAGMA user_version').get() as Row).user_version);
  const version = readVersion();
  if (version > MIGRATIONS.length) {
    const hint =
      'The data directory was written by a newer vehi, or one before 0.1.0. Use that version, or another directory with --data.';
    throw makeTooNewError(file, version, MIGRATIONS.length, hint);
  }
  if (version === MIGRATIONS.length) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    // Read again, because another process may have migrated while this one waited for the lock.
    for (let version = readVersion(); version < MIGRATIONS.length; version++) {
      db.exec(MIGRATIONS[version] ?? '');
      db.exec(`PRAGMA user_version = ${version + 1}`);
    }
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Checks, before any write, that vehi created the database. @throws Error if another program did */
function checkApplicationId(db: InstanceType<typeof DatabaseSync>): void {
  const query = (sql: string) => Object.values(db.prepare(sql).get() as Row)[0];
  if (query('SELECT count(*) FROM sqlite_master') === 0) return;
  if (query('PRAGMA application_id') === APPLICATION_ID) return;
  throw new Error('it belongs to another program');
}

function open(file: string, durable: boolean): InstanceType<typeof DatabaseSync> {
  const db = new DatabaseSync(file, { timeout: OPEN_TIMEOUT_MS });
  try {
    checkApplicationId(db);
    db.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF`,
    );
    if (durable) {
      if (file !== ':memory:') {
        const verdict = (db.prepare('PRAGMA quick_check(1)').get() as Row).quick_check;
        if (verdict !== 'ok') throw new Error(`quick_check: ${verdict}`);
      }
      migrate(db, file);
    }
    // Later writes must not block the event loop: `write` waits asynchronously.
    db.exec('PRAGMA busy_timeout = 0');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Opens the database in `file`, creating or migrating it if needed, or an in-memory one for `:memory:`. A second
 * connection that is not `durable` does not sync to disk: its writes survive a crash but not a power failure.
 * @throws VehiError usage/DATABASE_TOO_NEW, usage/DATABASE_UNREADABLE (corrupt, not a database, no permission).
 */
export function openDatabase(file: string, { durable = true } = {}): Database {
  let db: InstanceType<typeof DatabaseSync>;
  try {
    db = open(file, durable);
  } catch (error) {
    if (error instanceof VehiError) throw error;
    throw new VehiError(
      'usage',
      'DATABASE_UNREADABLE',
      `${file}: cannot be opened as a database (${(error as Error).message}).`,
      {
        hint: 'Restore a backup made with `vehi admin data backup`, or name another directory with --data.',
        cause: error,
      },
    );
  }
  const statements = new Map<string, StatementSyncInstance>();
  const prepare = (sql: string): StatementSyncInstance => {
    const cached = statements.get(sql);
    if (cached) return cached;
    const statement = db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const openedStats = file === ':memory:' ? undefined : statSync(file);
  const connection: Omit<Database, 'write'> = {
    run: (sql, ...values) => Number(prepare(sql).run(...values).changes),
    get: (sql, ...values) => prepare(sql).get(...values) as Row | undefined,
    all: (sql, ...values) => prepare(sql).all(...values) as Row[],
    transaction(callback) {
      db.exec('BEGIN IMMEDIATE');
      try {
        const result = callback();
        db.exec('COMMIT');
        return result;
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK');
        throw error;
      }
    },
    runInSavepoint(callback) {
      db.exec('SAVEPOINT one');
      let value: ReturnType<typeof callback>;
      try {
        value = callback();
      } catch (error) {
        if (!db.isTransaction) throw error;
        db.exec('ROLLBACK TO one; RELEASE one');
        return { error };
      }
      db.exec('RELEASE one');
      return { value };
    },
    checkNotReplaced() {
      if (openedStats === undefined) return;
      const currentStats = statSync(file, { throwIfNoEntry: false });
      if (currentStats?.ino !== openedStats.ino || currentStats.dev !== openedStats.dev) {
        throw new DatabaseReplaced(`${file} is no longer the file that was opened`);
      }
    },
    async backup(target) {
      await backup(db, target);
    },
    close() {
      statements.clear();
      db.close();
    },
  };
  return { ...connection, write: groupWrites(connection) };
}
