import { backup, DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';
import { VehiError } from '../../lib/errors.ts';
import { MIGRATIONS } from './migrations.ts';

export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

/** The few calls the stores are written in; statements are prepared once and kept. */
export interface Database {
  run(sql: string, ...values: Value[]): number;
  row(sql: string, ...values: Value[]): Row | undefined;
  rows(sql: string, ...values: Value[]): Row[];
  /** All or nothing; the work must not wait for anything. */
  transaction<T>(work: () => T): T;
  /**
   * Work within a transaction that undoes itself alone: returns why it failed.
   * @throws where the failure has ended the whole transaction, as a full disk does.
   */
  attempt(work: () => void): { readonly error: unknown } | undefined;
  backup(file: string): Promise<void>;
  close(): void;
}

function migrate(db: InstanceType<typeof DatabaseSync>, file: string): void {
  const found = Number((db.prepare('PRAGMA user_version').get() as Row).user_version);
  if (found > MIGRATIONS.length) {
    throw new VehiError(
      'usage',
      'DATABASE_TOO_NEW',
      `${file}: schema version ${found}, this vehi knows ${MIGRATIONS.length}`,
      {
        hint: 'The data directory was written by a newer vehi. Use that version, or another directory with --data.',
      },
    );
  }
  for (let version = found; version < MIGRATIONS.length; version++) {
    db.exec('BEGIN IMMEDIATE');
    try {
      db.exec(MIGRATIONS[version] ?? '');
      db.exec(`PRAGMA user_version = ${version + 1}`);
      db.exec('COMMIT');
    } catch (error) {
      db.exec('ROLLBACK');
      throw error;
    }
  }
}

function open(file: string): InstanceType<typeof DatabaseSync> {
  const db = new DatabaseSync(file, { timeout: 5_000 });
  try {
    db.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF',
    );
    if (file !== ':memory:') {
      const verdict = (db.prepare('PRAGMA quick_check(1)').get() as Row).quick_check;
      if (verdict !== 'ok') throw new Error(`quick_check: ${verdict}`);
    }
    migrate(db, file);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Opens (and where needed makes or migrates) the database in `file`, or one in memory for `:memory:`.
 * @throws VehiError usage/DATABASE_TOO_NEW, usage/DATABASE_UNREADABLE (corrupt, not a database, no permission).
 */
export function openDatabase(file: string): Database {
  let db: InstanceType<typeof DatabaseSync>;
  try {
    db = open(file);
  } catch (error) {
    if (error instanceof VehiError) throw error;
    throw new VehiError(
      'usage',
      'DATABASE_UNREADABLE',
      `${file}: cannot be opened as a database (${(error as Error).message})`,
      {
        hint: 'Restore a backup made with `vehi data backup`, or name another directory with --data.',
        cause: error,
      },
    );
  }
  const prepared = new Map<string, StatementSyncInstance>();
  const statement = (sql: string): StatementSyncInstance => {
    const known = prepared.get(sql);
    if (known) return known;
    const made = db.prepare(sql);
    prepared.set(sql, made);
    return made;
  };
  return {
    run: (sql, ...values) => Number(statement(sql).run(...values).changes),
    row: (sql, ...values) => statement(sql).get(...values) as Row | undefined,
    rows: (sql, ...values) => statement(sql).all(...values) as Row[],
    transaction(work) {
      db.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        db.exec('COMMIT');
        return result;
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK');
        throw error;
      }
    },
    attempt(work) {
      db.exec('SAVEPOINT one');
      try {
        work();
      } catch (error) {
        if (!db.isTransaction) throw error;
        db.exec('ROLLBACK TO one; RELEASE one');
        return { error };
      }
      db.exec('RELEASE one');
      return undefined;
    },
    async backup(target) {
      await backup(db, target);
    },
    close() {
      prepared.clear();
      db.close();
    },
  };
}
