import { randomUUID } from 'node:crypto';
import { type Conditions, whereListed, whereRemoved, whereUnfinished } from '../inspection-conditions.ts';
import { ClaimLost, CRASH_COUNTS_MS, type InspectionStore, LEFTOVERS_MAX } from '../ports.ts';
import { toInspection, toUnfinished } from '../rows.ts';
import type { Database } from './database.ts';
import { countListed } from './inspection-counts.ts';
import { takeUploads } from './uploads.ts';
import { countWork } from './usage.ts';
import { insertMessages } from './webhooks.ts';

/**
 * Creates the store of inspections and assessments in SQLite: the document as JSON next to the columns that are
 * searched.
 */
export function sqliteInspections(db: Database): InspectionStore {
  return {
    create(r, more = {}) {
      return db.write(() => {
        db.run(
          `INSERT INTO inspections (id, account_id, environment, kind, vehicle_id, status, created_at, completed_at,
             attempts, document, meta, request) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
          const { accountId, operation, key, process } = more.idempotency;
          const held = db.run(
            'UPDATE idempotency SET resource_id = ? WHERE account_id = ? AND operation = ? AND key = ? AND process = ?',
            r.id,
            accountId,
            operation,
            key,
            process,
          );
          if (held === 0) throw new ClaimLost();
        }
        takeUploads(db, more.uploads ?? []);
        insertMessages(db, more.messages ?? []);
        if (r.status !== 'processing') countWork(db, r.id);
        return undefined;
      });
    },
    async get(id) {
      const row = db.row('SELECT * FROM inspections WHERE id = ?', id);
      return row && toInspection(row);
    },
    async list(query) {
      const { sql, values } = whereListed(query);
      const after: Conditions = query.after
        ? { sql: ' AND (created_at, id) < (?, ?)', values: [query.after.createdAt, query.after.id] }
        : { sql: '', values: [] };
      // The page is found in the index alone; rows, which hold whole documents, are read for what is shown only.
      const rows = db.rows(
        `SELECT i.* FROM (SELECT id FROM inspections WHERE ${sql}${after.sql}
           ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?) page
         JOIN inspections i ON i.id = page.id ORDER BY i.created_at DESC, i.id DESC`,
        ...values,
        ...after.values,
        query.limit + 1,
        query.offset,
      );
      const records = rows.slice(0, query.limit).map(toInspection);
      return { records, total: countListed(db, query), hasMore: rows.length > query.limit };
    },
    finish: (id, token, outcome) =>
      db.write(() => {
        const changed = db.run(
          `UPDATE inspections SET status = ?, completed_at = ?, document = ?, meta = ?
           WHERE id = ? AND status = 'processing' AND token = ?`,
          outcome.status,
          outcome.completedAt,
          JSON.stringify(outcome.document),
          JSON.stringify(outcome.meta),
          id,
          token,
        );
        if (changed === 1) {
          insertMessages(db, outcome.messages);
          countWork(db, id);
          db.run('INSERT OR IGNORE INTO leftovers VALUES (?, ?)', id, Date.now());
        }
        return changed === 1;
      }),
    async unfinished(environment, page) {
      const { sql, values } = whereUnfinished(environment, page);
      return db
        .rows(
          `SELECT id, account_id, attempts, created_at FROM inspections WHERE ${sql} ORDER BY created_at, id LIMIT ?`,
          ...values,
          page?.limit ?? -1,
        )
        .map(toUnfinished);
    },
    async ended(ids) {
      return ids.filter(
        (id) => !db.row("SELECT 1 FROM inspections WHERE id = ? AND status = 'processing'", id),
      );
    },
    startAttempt: (id) =>
      db.write(() => {
        const token = randomUUID();
        const row = db.row(
          `UPDATE inspections SET attempts = attempts + 1, token = ? WHERE id = ? AND status = 'processing'
           RETURNING attempts, skip_photos, at_photo`,
          token,
          id,
        );
        return (
          row && {
            number: Number(row.attempts),
            token,
            crashing: JSON.parse(row.skip_photos as string),
            atPhoto: row.at_photo as number | null,
          }
        );
      }),
    async opening(id, token, photo) {
      await db.write(() =>
        db.run('UPDATE inspections SET at_photo = ? WHERE id = ? AND token = ?', photo, id, token),
      );
    },
    async crashed(id, token, photo) {
      await db.write(() => {
        const now = Date.now();
        const row = db.row(
          `UPDATE inspections SET skip_photos = iif(? IS NULL, skip_photos, json_insert(skip_photos, '$[#]', ?))
           WHERE id = ? AND status = 'processing' AND token = ? RETURNING account_id`,
          ...[photo ?? null, photo ?? null, id, token],
        );
        db.run('DELETE FROM crashes WHERE at_ms < ?', now - CRASH_COUNTS_MS);
        if (row) db.run('INSERT INTO crashes VALUES (?, ?)', row.account_id as string, now);
      });
    },
    async recentCrashes(accountId) {
      const row = db.row(
        'SELECT count(*) AS crashes FROM crashes WHERE account_id = ? AND at_ms >= ?',
        accountId,
        Date.now() - CRASH_COUNTS_MS,
      );
      return Number(row?.crashes);
    },
    async leftovers(beforeMs) {
      return db
        .rows(
          'SELECT owner FROM leftovers WHERE ended_at_ms < ? ORDER BY owner LIMIT ?',
          beforeMs ?? Number.MAX_SAFE_INTEGER,
          LEFTOVERS_MAX,
        )
        .map((row) => row.owner as string);
    },
    async tidied(ids) {
      await db.write(() => {
        for (const id of ids) db.run('DELETE FROM leftovers WHERE owner = ?', id);
      });
    },
    async giveBackAttempt(id, token) {
      await db.write(() =>
        db.run(
          `UPDATE inspections SET attempts = attempts - 1, token = NULL
           WHERE id = ? AND status = 'processing' AND token = ?`,
          id,
          token,
        ),
      );
    },
    async purge(filter, limit) {
      const { sql, values } = whereRemoved(filter);
      if (sql === '') return [];
      return db.write(() => {
        const ids = db
          .rows(`SELECT id FROM inspections WHERE ${sql} ORDER BY created_at, id LIMIT ?`, ...values, limit)
          .map((row) => row.id as string);
        for (const id of ids) {
          db.run('DELETE FROM inspections WHERE id = ?', id);
          db.run('DELETE FROM idempotency WHERE resource_id = ?', id);
          db.run('DELETE FROM webhook_messages WHERE resource_id = ?', id);
          db.run('DELETE FROM leftovers WHERE owner = ?', id);
          db.run('INSERT OR IGNORE INTO removals VALUES (?)', id);
        }
        return ids;
      });
    },
    async removals() {
      return db.rows('SELECT owner FROM removals ORDER BY owner').map((row) => row.owner as string);
    },
    async filesRemoved(owners) {
      await db.write(() => {
        for (const owner of owners) db.run('DELETE FROM removals WHERE owner = ?', owner);
      });
    },
    async unknown(ids) {
      return ids.filter((id) => !db.row('SELECT 1 FROM inspections WHERE id = ?', id));
    },
    async neverUsed() {
      const row = db.row(
        'SELECT EXISTS(SELECT 1 FROM inspections) OR EXISTS(SELECT 1 FROM accounts) AS used',
      );
      return row?.used === 0;
    },
  };
}
