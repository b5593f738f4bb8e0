import type { InspectionQuery, InspectionRecord, InspectionStore } from '../ports.ts';
import type { Database, Row, Value } from './database.ts';
import { groupCommit } from './group-commit.ts';
import { insertMessages } from './webhooks.ts';

function record(row: Row): InspectionRecord {
  return {
    id: row.id as string,
    accountId: row.account_id as string,
    environment: row.environment as InspectionRecord['environment'],
    kind: row.kind as InspectionRecord['kind'],
    vehicleId: row.vehicle_id as string,
    status: row.status as InspectionRecord['status'],
    createdAt: row.created_at as string,
    completedAt: row.completed_at as string | null,
    attempts: row.attempts as number,
    document: JSON.parse(row.document as string),
    meta: JSON.parse(row.meta as string),
    request: JSON.parse(row.request as string),
  };
}

function where(query: InspectionQuery): { sql: string; values: Value[] } {
  const conditions: [sql: string, value: Value | undefined][] = [
    ['account_id = ?', query.accountId],
    ['environment = ?', query.environment],
    ['kind = ?', query.kind],
    ['vehicle_id = ?', query.vehicleId],
    ['status = ?', query.status],
    ['created_at >= ?', query.createdAfter],
    ['created_at < ?', query.createdBefore],
  ];
  const set = conditions.filter((c): c is [string, Value] => c[1] !== undefined);
  return { sql: set.map(([sql]) => sql).join(' AND '), values: set.map(([, value]) => value) };
}

/** Inspections and assessments in SQLite: the document as JSON next to the columns that are searched. */
export function sqliteInspections(db: Database): InspectionStore {
  const committed = groupCommit(db);
  return {
    create(r, more = {}) {
      return committed(() => {
        db.run(
          'INSERT INTO inspections VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
          r.id,
          r.accountId,
          r.environment,
          r.kind,
          r.vehicleId,
          r.status,
          r.createdAt,
          r.completedAt,
          r.attempts,
          JSON.stringify(r.document),
          JSON.stringify(r.meta),
          JSON.stringify(r.request),
        );
        if (more.idempotency) {
          const { accountId, operation, key } = more.idempotency;
          db.run(
            'UPDATE idempotency SET resource_id = ? WHERE account_id = ? AND operation = ? AND key = ?',
            r.id,
            accountId,
            operation,
            key,
          );
        }
        insertMessages(db, more.messages ?? []);
      });
    },
    async get(id) {
      const row = db.row('SELECT * FROM inspections WHERE id = ?', id);
      return row && record(row);
    },
    async list(query) {
      const { sql, values } = where(query);
      const total = db.row(`SELECT count(*) AS n FROM inspections WHERE ${sql}`, ...values);
      const rows = db.rows(
        `SELECT * FROM inspections WHERE ${sql} ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
        ...values,
        query.limit,
        query.offset,
      );
      return { records: rows.map(record), total: Number(total?.n) };
    },
    async finish(id, outcome) {
      return db.transaction(() => {
        const changed = db.run(
          `UPDATE inspections SET status = ?, completed_at = ?, document = ?, meta = ?
           WHERE id = ? AND status = 'processing'`,
          outcome.status,
          outcome.completedAt,
          JSON.stringify(outcome.document),
          JSON.stringify(outcome.meta),
          id,
        );
        if (changed === 1) insertMessages(db, outcome.messages);
        return changed === 1;
      });
    },
    async unfinished(environment) {
      return db
        .rows(
          `SELECT id, attempts FROM inspections WHERE status = 'processing' AND environment = ? ORDER BY created_at, id`,
          environment,
        )
        .map((row) => ({ id: row.id as string, attempts: row.attempts as number }));
    },
    async startAttempt(id) {
      return db.transaction(() => {
        db.run('UPDATE inspections SET attempts = attempts + 1 WHERE id = ?', id);
        return Number(db.row('SELECT attempts FROM inspections WHERE id = ?', id)?.attempts ?? 0);
      });
    },
    async purge(filter) {
      const conditions: [sql: string, value: Value | undefined][] = [
        ['created_at < ?', filter.before],
        ['vehicle_id = ?', filter.vehicleId],
        ['id = ?', filter.id],
        ['account_id = ?', filter.accountId],
      ];
      const set = conditions.filter((c): c is [string, Value] => c[1] !== undefined);
      if (set.length === 0) return [];
      const sql = set.map(([condition]) => condition).join(' AND ');
      const values = set.map(([, value]) => value);
      return db.transaction(() => {
        const ids = db
          .rows(`SELECT id FROM inspections WHERE ${sql} ORDER BY id`, ...values)
          .map((row) => row.id as string);
        for (const id of ids) {
          db.run('DELETE FROM inspections WHERE id = ?', id);
          db.run('DELETE FROM idempotency WHERE resource_id = ?', id);
          // Event bodies name the resource; the id is ours and holds no character that LIKE reads as a pattern but `_`.
          db.run(
            `DELETE FROM webhook_messages WHERE payload LIKE '%"' || replace(?, '_', '\\_') || '"%' ESCAPE '\\'`,
            id,
          );
        }
        return ids;
      });
    },
  };
}
