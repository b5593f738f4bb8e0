import { type UploadStore, UploadsUsed } from '../ports.ts';
import { toUpload } from '../rows.ts';
import { type SqlDatabase, type Statements, tx } from './database.ts';

/** Marks uploads as used, within the transaction of their record. @throws UploadsUsed */
export function* markUploadsUsed(ids: readonly string[]): Statements<void> {
  if (ids.length === 0) return;
  const rows = yield* tx.rows(
    'UPDATE uploads SET used = true WHERE id = ANY(?) AND NOT used RETURNING id',
    ids,
  );
  const markedIds = new Set(rows.map(({ id }) => id));
  const missing = ids.filter((id) => !markedIds.has(id));
  if (missing.length > 0) throw new UploadsUsed(missing);
}

/** Creates the store of photos uploaded ahead of an inspection. */
export function createUploads(db: SqlDatabase): UploadStore {
  return {
    async create({ id, accountId, environment, sha256, createdAtMs }) {
      await db.run(
        `INSERT INTO uploads (id, account_id, environment, sha256, created_at_ms)
         VALUES (?, ?, ?, ?, ?)`,
        ...[id, accountId, environment, sha256, createdAtMs],
      );
    },
    async get(id) {
      const row = await db.get('SELECT * FROM uploads WHERE id = ? AND NOT used', id);
      return row && toUpload(row);
    },
    async count(accountId, environment, afterMs) {
      const row = await db.get(
        `SELECT count(*) AS n FROM uploads
         WHERE account_id = ? AND environment = ? AND created_at_ms > ? AND NOT used`,
        ...[accountId, environment, afterMs],
      );
      return Number(row?.n);
    },
    async listBefore(ms) {
      const rows = await db.all('SELECT id FROM uploads WHERE created_at_ms < ?', ms);
      return rows.map((row) => row.id as string);
    },
    async release(ids) {
      await db.run('UPDATE uploads SET used = false WHERE id = ANY(?)', ids);
    },
    async remove(ids) {
      await db.run('DELETE FROM uploads WHERE id = ANY(?)', ids);
    },
  };
}
