import { whereListed, whereRemoved, whereUnfinished } from '../inspection-conditions.ts';
import {
  ClaimLost,
  CRASH_COUNTS_MS,
  type InspectionRecord,
  type InspectionStore,
  LEFTOVERS_MAX,
} from '../ports.ts';
import { toInspection, toUnfinished } from '../rows.ts';
import type { Database, Queries } from './database.ts';
import { countListed } from './inspection-counts.ts';
import { takePlace } from './order.ts';
import { countWork, takeUploads } from './usage.ts';
import { insertMessages } from './webhooks.ts';

/** Returns the number of photos of a request, for usage counts. */
function photosOf({ request }: InspectionRecord): number {
  const images = (request as { images?: unknown } | null)?.images;
  return Array.isArray(images) ? images.length : 0;
}

async function insert(
  tx: Queries,
  r: InspectionRecord,
  parked: boolean,
  tag: number | undefined,
): Promise<void> {
  await tx.run(
    `INSERT INTO inspections (id, account_id, environment, kind, vehicle_id, status, created_at, completed_at, attempts,
       document, meta, request, photos, parked, tag) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[r.id, r.accountId, r.environment, r.kind, r.vehicleId, r.status, r.createdAt, r.completedAt],
    ...[r.attempts, JSON.stringify(r.document), JSON.stringify(r.meta), JSON.stringify(r.request)],
    ...[photosOf(r), parked, tag ?? null],
  );
}

/**
 * Creates the store of inspections and assessments in PostgreSQL: the document as JSON next to the columns that are
 * searched.
 */
export function postgresInspections(db: Database): InspectionStore {
  return {
    create: (r, more = {}) =>
      db.transaction(async (tx) => {
        const place = more.cost === undefined ? undefined : await takePlace(tx, r, more.cost);
        await insert(tx, r, more.parked ?? false, place?.tag);
        if (more.idempotency) {
          const { accountId, operation, key, process } = more.idempotency;
          const held = await tx.run(
            'UPDATE idempotency SET resource_id = ? WHERE account_id = ? AND operation = ? AND key = ? AND process = ?',
            ...[r.id, accountId, operation, key, process],
          );
          if (held === 0) throw new ClaimLost();
        }
        await takeUploads(tx, more.uploads ?? []);
        await insertMessages(tx, more.messages ?? []);
        if (r.status !== 'processing') await countWork(tx, r.id);
        return place;
      }),
    async get(id) {
      const row = await db.row('SELECT * FROM inspections WHERE id = ?', id);
      return row && toInspection(row);
    },
    async list(query) {
      const { sql, values } = whereListed(query);
      const after = query.after
        ? { sql: ' AND (created_at, id) < (?, ?)', values: [query.after.createdAt, query.after.id] }
        : { sql: '', values: [] };
      const rows = await db.rows(
        `SELECT * FROM inspections WHERE ${sql}${after.sql} ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
        ...[...values, ...after.values, query.limit + 1, query.offset],
      );
      const records = rows.slice(0, query.limit).map(toInspection);
      return { records, total: await countListed(db, query), hasMore: rows.length > query.limit };
    },
    finish: (id, token, outcome) =>
      db.transaction(async (tx) => {
        const changed = await tx.run(
          `UPDATE inspections SET status = ?, completed_at = ?, document = ?, meta = ?
           WHERE id = ? AND status = 'processing' AND token::text = ?`,
          ...[outcome.status, outcome.completedAt, JSON.stringify(outcome.document)],
          ...[JSON.stringify(outcome.meta), id, token],
        );
        if (changed === 1) {
          await insertMessages(tx, outcome.messages);
          await countWork(tx, id);
          await tx.run('INSERT INTO leftovers VALUES (?) ON CONFLICT DO NOTHING', id);
        }
        return changed === 1;
      }),
    async unfinished(environment, page) {
      const { sql, values } = whereUnfinished(environment, page);
      const rows = await db.rows(
        `SELECT id, account_id, attempts, created_at, tag FROM inspections WHERE ${sql} AND NOT parked
         ORDER BY created_at, id LIMIT ?`,
        ...[...values, page?.limit ?? null],
      );
      return rows.map(toUnfinished);
    },
    async ended(ids) {
      const rows = await db.rows(
        `SELECT one AS id FROM unnest(?::text[]) AS one
         WHERE NOT EXISTS (SELECT 1 FROM inspections WHERE id = one AND status = 'processing')`,
        ids,
      );
      return rows.map((row) => row.id as string);
    },
    async startAttempt(id) {
      const row = await db.row(
        `UPDATE inspections SET attempts = attempts + 1, token = gen_random_uuid()
         WHERE id = ? AND status = 'processing' RETURNING attempts, token, skip_photos, at_photo`,
        id,
      );
      return (
        row && {
          number: row.attempts as number,
          token: row.token as string,
          crashing: row.skip_photos as number[],
          atPhoto: row.at_photo as number | null,
        }
      );
    },
    async opening(id, token, photo) {
      await db.run('UPDATE inspections SET at_photo = ? WHERE id = ? AND token::text = ?', photo, id, token);
    },
    crashed: (id, token, photo) =>
      db.transaction(async (tx) => {
        const row = await tx.row(
          `UPDATE inspections SET skip_photos = array_remove(skip_photos || ?::integer, NULL)
           WHERE id = ? AND status = 'processing' AND token::text = ? RETURNING account_id`,
          ...[photo ?? null, id, token],
        );
        await tx.run(`DELETE FROM crashes WHERE at < now() - ? * interval '1 millisecond'`, CRASH_COUNTS_MS);
        if (row) await tx.run('INSERT INTO crashes VALUES (?)', row.account_id as string);
      }),
    async recentCrashes(accountId) {
      const row = await db.row(
        `SELECT count(*)::integer AS crashes FROM crashes
         WHERE account_id = ? AND at >= now() - ? * interval '1 millisecond'`,
        ...[accountId, CRASH_COUNTS_MS],
      );
      return row?.crashes as number;
    },
    async leftovers(beforeMs) {
      const rows = await db.rows(
        `SELECT owner FROM leftovers WHERE ended_at < coalesce(to_timestamp(?::float8 / 1000), 'infinity')
         ORDER BY owner LIMIT ?`,
        ...[beforeMs ?? null, LEFTOVERS_MAX],
      );
      return rows.map((row) => row.owner as string);
    },
    async tidied(ids) {
      await db.run('DELETE FROM leftovers WHERE owner = ANY(?)', ids);
    },
    async giveBackAttempt(id, token) {
      await db.run(
        `UPDATE inspections SET attempts = attempts - 1, token = NULL
         WHERE id = ? AND status = 'processing' AND token::text = ?`,
        id,
        token,
      );
    },
    async purge(filter, limit) {
      const { sql, values } = whereRemoved(filter);
      if (sql === '') return [];
      return db.transaction(async (tx) => {
        const rows = await tx.rows(
          `SELECT id FROM inspections WHERE ${sql} ORDER BY created_at, id LIMIT ? FOR UPDATE`,
          ...[...values, limit],
        );
        const ids = rows.map((row) => row.id as string);
        if (ids.length === 0) return ids;
        await tx.run('INSERT INTO removals SELECT unnest(?::text[]) ON CONFLICT DO NOTHING', ids);
        await tx.run('DELETE FROM idempotency WHERE resource_id = ANY(?)', ids);
        await tx.run('DELETE FROM webhook_messages WHERE resource_id = ANY(?)', ids);
        await tx.run('DELETE FROM leftovers WHERE owner = ANY(?)', ids);
        await tx.run('DELETE FROM inspections WHERE id = ANY(?)', ids);
        return ids;
      });
    },
    async removals() {
      return (await db.rows('SELECT owner FROM removals ORDER BY owner')).map((row) => row.owner as string);
    },
    async filesRemoved(owners) {
      await db.run('DELETE FROM removals WHERE owner = ANY(?)', owners);
    },
    async unknown(ids) {
      const rows = await db.rows('SELECT id FROM inspections WHERE id = ANY(?)', ids);
      const known = new Set(rows.map((row) => row.id));
      return ids.filter((id) => !known.has(id));
    },
    async neverUsed() {
      const row = await db.row(
        'SELECT EXISTS(SELECT 1 FROM inspections) OR EXISTS(SELECT 1 FROM accounts) AS used',
      );
      return row?.used === false;
    },
  };
}
