import type { SqlDatabase, Statement, StatementResult, Value } from '../sql/database.ts';
import type { SqliteDatabase, Value as Stored } from './database.ts';

/** Translates a statement for SQLite: lists are JSON, and a single writer needs no row locks. */
const translate = (sql: string) =>
  sql.replaceAll('= ANY(?)', 'IN (SELECT value FROM json_each(?))').replaceAll(' FOR UPDATE', '');

function bind(value: Value): Stored {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return typeof value === 'boolean' ? Number(value) : value;
}

/** Adapts an SQLite database to the interface that the stores use. */
export function adaptSqlite(db: SqliteDatabase): SqlDatabase {
  const run = (sql: string, values: readonly Value[] = []) => db.run(translate(sql), values.map(bind));
  const rows = (sql: string, values: readonly Value[] = []) => db.all(translate(sql), values.map(bind));
  const execute = ({ sql, values, returns }: Statement): StatementResult =>
    returns === 'count' ? { rows: [], changes: run(sql, values) } : { rows: rows(sql, values), changes: 0 };
  return {
    run: (sql, values) => db.write(() => run(sql, values)),
    runReturning: (sql, values) => db.write(() => rows(sql, values)[0]),
    get: async (sql, values) => rows(sql, values)[0],
    all: async (sql, values) => rows(sql, values),
    transaction: (callback) =>
      db.write(() => {
        const statements = callback();
        let step = statements.next();
        while (!step.done) step = statements.next(execute(step.value));
        return step.value;
      }),
    sqlNowMs: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  };
}
