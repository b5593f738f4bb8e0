import { type UploadRecord, UploadsUsed } from '../records.ts';
import { type SqlDatabase, type Statements, tx } from './database.ts';
import { makeInsert, makeReader } from './rows.ts';

const toUpload = makeReader<UploadRecord>('id', 'accountId', 'environment', 'sha256', 'createdAtMs');

/** Marks uploads as used, within the transaction of their record. @throws UploadsUsed */
export function* markUploadsUsed(ids: readonly string[]): Statements<void> {
  if (ids.length === 0) return;
  const sql = 'UPDATE uploads SET used = true WHERE id = ANY(?) AND NOT used RETURNING id';
  const markedIds = new Set((yield* tx.rows(sql, ids)).map(({ id }) => id));
  const missing = ids.filter((id) => !markedIds.has(id));
  if (missing.length > 0) throw new UploadsUsed(missing);
}

/** Creates the store of photos uploaded ahead of an inspection. */
export function createUploads(db: SqlDatabase) {
  return {
    async create(upload: UploadRecord) {
      await db.run(...makeInsert('uploads', upload));
    },
    /** Returns an upload; undefined if it was used. */
    async get(id: string) {
      const row = await db.get('SELECT * FROM uploads WHERE id = ? AND NOT used', id);
      return row && toUpload(row);
    },
    /** Counts an account's unused uploads created after a time. */
    async count(accountId: string, environment: string, afterMs: number) {
      const row = await db.get(
        `SELECT count(*) AS n FROM uploads
         WHERE account_id = ? AND environment = ? AND created_at_ms > ? AND NOT used`,
        ...[accountId, environment, afterMs],
      );
      return Number(row?.n);
    },
    /** Returns ids of uploads created before a time, used or not. */
    async listBefore(ms: number) {
      const rows = await db.all('SELECT id FROM uploads WHERE created_at_ms < ?', ms);
      return rows.map((row) => row.id as string);
    },
    /** Marks uploads as unused after the record that used them was removed. */
    async release(ids: readonly string[]) {
      await db.run('UPDATE uploads SET used = false WHERE id = ANY(?)', ids);
    },
    async remove(ids: readonly string[]) {
      await db.run('DELETE FROM uploads WHERE id = ANY(?)', ids);
    },
  };
}
