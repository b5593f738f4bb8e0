import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { backup, DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';
import { VehiError } from '../../lib/errors.ts';
import { StoreRefusedError } from '../records.ts';
import type { Row, SqlDatabase, Statement, StatementResult, Value } from '../sql/database.ts';
import { makeTooNewError } from '../sql/too-new.ts';
import { APPLICATION_ID, MIGRATIONS } from './migrations.ts';

/**
 * A database file; prepared statements are cached. Changes wait asynchronously for another connection's lock, at most
 * `LOCK_TIMEOUT_MS`; they are refused once the file was moved, deleted or replaced while open.
 * @throws StoreRefusedError in reads and changes
 */
export interface SqliteDatabase extends SqlDatabase {
  checkNotReplaced(): void;
  backup(file: string): Promise<void>;
}

/** Maximum wait for another writer when opening. */
const OPEN_TIMEOUT_MS = 5_000;
/** Maximum wait of a write for another connection's lock, and the pause between attempts. */
const LOCK_TIMEOUT_MS = 2_000;
const RETRY_INTERVAL_MS = 20;

/** Returns true if a write failed because another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return /database (table )?is (locked|busy)/.test(String((error as Error | null)?.message));
}

/** Calls SQLite. @throws StoreRefusedError if the database is locked or full */
function callSqlite<T>(callback: () => T): T {
  try {
    return callback();
  } catch (cause) {
    const { message } = cause as Error;
    const reason = isBusy(cause) ? 'locked' : /database or disk is full/.test(message) ? 'full' : null;
    throw reason === null ? cause : new StoreRefusedError(reason, message, { cause });
  }
}

/** Translates a statement for SQLite: lists are JSON, and a single writer needs no row locks. */
const translate = (sql: string) =>
  sql.replaceAll('= ANY(?)', 'IN (SELECT value FROM json_each(?))').replaceAll(' FOR UPDATE', '');

function bind(value: Value): string | number | null {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return typeof value === 'boolean' ? Number(value) : value;
}

/** Runs a callback in a transaction. @throws StoreRefusedError if the database is locked or full */
function transact<T>(db: InstanceType<typeof DatabaseSync>, callback: () => T): T {
  callSqlite(() => db.exec('BEGIN IMMEDIATE'));
  try {
    const result = callback();
    callSqlite(() => db.exec('COMMIT'));
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function migrate(db: InstanceType<typeof DatabaseSync>, file: string): void {
  const readVersion = () => Number((db.prepare('PRAGMA user_version').get() as Row).user_version);
  const version = readVersion();
  if (version > MIGRATIONS.length) {
    const hint =
      'The data directory was written by a newer vehi, or one before 0.1.0. Use that version, or another directory with --data.';
    throw makeTooNewError(file, version, MIGRATIONS.length, hint);
  }
  if (version === MIGRATIONS.length) return;
  transact(db, () => {
    // Read again, because another process may have migrated while this one waited for the lock.
    for (let version = readVersion(); version < MIGRATIONS.length; version++) {
      db.exec(MIGRATIONS[version] ?? '');
      db.exec(`PRAGMA user_version = ${version + 1}`);
    }
  });
}

/** Checks, before any write, that vehi created the database. @throws Error if another program did */
function checkApplicationId(db: InstanceType<typeof DatabaseSync>): void {
  const query = (sql: string) => Object.values(db.prepare(sql).get() as Row)[0];
  if (query('SELECT count(*) FROM sqlite_master') === 0) return;
  if (query('PRAGMA application_id') === APPLICATION_ID) return;
  throw new Error('it belongs to another program');
}

function open(file: string): InstanceType<typeof DatabaseSync> {
  const db = new DatabaseSync(file, { timeout: OPEN_TIMEOUT_MS });
  try {
    checkApplicationId(db);
    // A commit is not synced to disk by itself: it survives a crash of the process, but maybe not a power failure.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
    // Overwrites deleted rows: what was purged could otherwise still be read in the file.
    db.exec('PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON');
    const verdict = (db.prepare('PRAGMA quick_check(1)').get() as Row).quick_check;
    if (verdict !== 'ok') throw new Error(`quick_check: ${verdict}`);
    migrate(db, file);
    // Later writes must not block the event loop: `write` waits asynchronously.
    db.exec('PRAGMA busy_timeout = 0');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Opens the database in `file`, creating or migrating it if needed.
 * @throws VehiError usage/DATABASE_TOO_NEW, usage/DATABASE_UNREADABLE (corrupt, not a database, no permission).
 */
export function openDatabase(file: string): SqliteDatabase {
  let db: InstanceType<typeof DatabaseSync>;
  try {
    db = open(file);
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
  const prepared = new Map<string, StatementSyncInstance>();
  const prepare = (sql: string): StatementSyncInstance => {
    const statement = prepared.get(sql) ?? db.prepare(translate(sql));
    prepared.set(sql, statement);
    return statement;
  };
  const change = (sql: string, values: readonly Value[] = []) =>
    callSqlite(() => Number(prepare(sql).run(...values.map(bind)).changes));
  const select = (sql: string, values: readonly Value[] = []) =>
    callSqlite(() => prepare(sql).all(...values.map(bind)) as Row[]);
  const execute = ({ sql, values, returns }: Statement): StatementResult =>
    returns === 'count'
      ? { rows: [], changes: change(sql, values) }
      : { rows: select(sql, values), changes: 0 };
  const openedStats = statSync(file);
  function checkNotReplaced(): void {
    const currentStats = statSync(file, { throwIfNoEntry: false });
    if (currentStats?.ino !== openedStats.ino || currentStats.dev !== openedStats.dev)
      throw new StoreRefusedError('replaced', `${file} is no longer the file that was opened`);
  }
  async function write<T>(callback: () => T): Promise<T> {
    const startedMs = performance.now();
    for (;;) {
      try {
        checkNotReplaced();
        return transact(db, callback);
      } catch (error) {
        const isLocked = error instanceof StoreRefusedError && error.reason === 'locked';
        if (!isLocked || performance.now() - startedMs > LOCK_TIMEOUT_MS) throw error;
      }
      await sleep(RETRY_INTERVAL_MS);
    }
  }
  return {
    run: (sql, values) => write(() => change(sql, values)),
    runReturning: (sql, values) => write(() => select(sql, values)[0]),
    get: async (sql, values) => select(sql, values)[0],
    all: async (sql, values) => select(sql, values),
    transaction: (callback) =>
      write(() => {
        const statements = callback();
        let step = statements.next();
        while (!step.done) step = statements.next(execute(step.value));
        return step.value;
      }),
    sqlNowMs: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
    checkNotReplaced,
    backup: async (target) => void (await backup(db, target)),
    async close() {
      prepared.clear();
      try {
        // Closing does not empty the log, which holds purged rows, while a statement waits for the garbage collector.
        db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      } catch {
        // The next opening writes the log into the file.
      }
      db.close();
    },
  };
}

/** Opens a database in memory. @throws Error if SQLite does not work on this machine */
export function trySqlite(): void {
  const database = new DatabaseSync(':memory:');
  database.exec('SELECT 1');
  database.close();
}
