import { type UploadStore, UploadsUsed, type UsageStore } from '../ports.ts';
import { toUpload, toUsageDay } from '../rows.ts';
import type { Database, Queries } from './database.ts';

/** Counts a piece of work that has ended; for use inside the transaction that ends it. */
export async function countWork(tx: Queries, id: string): Promise<void> {
  await tx.run(
    `INSERT INTO usage_days AS so_far
       SELECT account_id, environment, left(completed_at, 10), (kind = 'visual' AND status = 'completed')::int,
         CASE WHEN kind = 'visual' AND status = 'completed' THEN photos ELSE 0 END,
         (kind = 'visual' AND status = 'failed')::int, (kind = 'damage_assessment')::int
       FROM inspections WHERE id = ?
     ON CONFLICT (account_id, environment, day) DO UPDATE SET
       inspections = so_far.inspections + excluded.inspections, photos = so_far.photos + excluded.photos,
       failed = so_far.failed + excluded.failed, assessments = so_far.assessments + excluded.assessments`,
    id,
  );
}

/** Creates the store of work per day in PostgreSQL. */
export function postgresUsage(db: Database): UsageStore {
  return {
    async days(accountId, environment, from, to) {
      const rows = await db.rows(
        'SELECT * FROM usage_days WHERE account_id = ? AND environment = ? AND day >= ? AND day <= ? ORDER BY day',
        ...[accountId, environment, from, to],
      );
      return rows.map(toUsageDay);
    },
  };
}

/** Uses uploads up within the transaction of their record. @throws UploadsUsed */
export async function takeUploads(tx: Queries, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await tx.rows(
    'UPDATE uploads SET used = true WHERE id = ANY(?) AND NOT used RETURNING id',
    ids,
  );
  const taken = new Set(rows.map(({ id }) => id));
  const gone = ids.filter((id) => !taken.has(id));
  if (gone.length > 0) throw new UploadsUsed(gone);
}

/** Creates the store of photos that wait for an inspection, in PostgreSQL. */
export function postgresUploads(db: Database): UploadStore {
  return {
    async create({ id, accountId, environment, sha256, createdAtMs, announcedBytes }) {
      await db.run(
        `INSERT INTO uploads (id, account_id, environment, sha256, created_at_ms, announced_bytes)
         VALUES (?, ?, ?, ?, ?, ?)`,
        ...[id, accountId, environment, sha256, createdAtMs, announcedBytes],
      );
    },
    async get(id) {
      const row = await db.row('SELECT * FROM uploads WHERE id = ? AND NOT used', id);
      return row && toUpload(row);
    },
    async count(accountId, environment, afterMs) {
      const row = await db.row(
        `SELECT count(*) AS n FROM uploads
         WHERE account_id = ? AND environment = ? AND created_at_ms > ? AND NOT used`,
        ...[accountId, environment, afterMs],
      );
      return Number(row?.n);
    },
    async before(ms) {
      const rows = await db.rows('SELECT id FROM uploads WHERE created_at_ms < ?', ms);
      return rows.map((row) => row.id as string);
    },
    async use(ids) {
      await db.transaction(async (tx) => {
        await tx.run('DELETE FROM uploads WHERE id = ANY(?) AND announced_bytes IS NULL', ids);
        await tx.run('UPDATE uploads SET used = true WHERE id = ANY(?)', ids);
      });
    },
    async release(ids) {
      await db.run('UPDATE uploads SET used = false WHERE id = ANY(?)', ids);
    },
    async remove(ids) {
      await db.run('DELETE FROM uploads WHERE id = ANY(?)', ids);
    },
  };
}
