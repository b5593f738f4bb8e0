import { type SqlDatabase, type Statement, type StatementResult, tx, type Value } from '../sql/database.ts';
import type { Database, Value as Stored } from './database.ts';

/** Translates a statement for SQLite: lists are JSON, and a single writer needs no row locks. */
const translate = (sql: string) =>
  sql.replaceAll('= ANY(?)', 'IN (SELECT value FROM json_each(?))').replaceAll(' FOR UPDATE', '');

function bind(value: Value): Stored {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return typeof value === 'boolean' ? Number(value) : value;
}

/** Adapts an SQLite database to the interface that the stores use. */
export function adaptSqlite(db: Database): SqlDatabase {
  const run = (sql: string, values: readonly Value[]) => db.run(translate(sql), ...values.map(bind));
  const rows = (sql: string, values: readonly Value[]) => db.rows(translate(sql), ...values.map(bind));
  const execute = ({ sql, values, returns }: Statement): StatementResult =>
    returns === 'count' ? { rows: [], changed: run(sql, values) } : { rows: rows(sql, values), changed: 0 };
  return {
    run: (sql, ...values) => db.write(() => run(sql, values)),
    runReturning: (sql, ...values) => db.write(() => rows(sql, values)[0]),
    row: async (sql, ...values) => rows(sql, values)[0],
    rows: async (sql, ...values) => rows(sql, values),
    transaction: (work) =>
      db.write(() => {
        const statements = work();
        let step = statements.next();
        while (!step.done) step = statements.next(execute(step.value));
        return step.value;
      }),
    dialect: {
      time: {
        column: (name) => `${name}_ms`,
        now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
        ago: "CAST(unixepoch('subsec') * 1000 AS INTEGER) - ?",
        epochMs: '?',
      },
      photos: "coalesce(json_array_length(request, '$.images'), 0)",
      addSkipped: "json_insert(skip_photos, '$[#]', ?)",
      unfinished: 'SELECT id, account_id, attempts, created_at FROM inspections WHERE true',
      *insertInspection(r) {
        yield* tx.run(
          `INSERT INTO inspections (id, account_id, environment, kind, vehicle_id, status, created_at, completed_at,
             attempts, document, meta, request) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          ...[r.id, r.accountId, r.environment, r.kind, r.vehicleId, r.status, r.createdAt, r.completedAt],
          ...[r.attempts, JSON.stringify(r.document), JSON.stringify(r.meta), JSON.stringify(r.request)],
        );
        return undefined;
      },
    },
  };
}
