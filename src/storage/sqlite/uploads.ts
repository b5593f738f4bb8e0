import { type UploadStore, UploadsUsed } from '../ports.ts';
import { toUpload } from '../rows.ts';
import type { Database } from './database.ts';

/** Uses uploads up within the transaction of their record. @throws UploadsUsed */
export function takeUploads(db: Database, ids: readonly string[]): void {
  const gone = ids.filter((id) => db.run('UPDATE uploads SET used = 1 WHERE id = ? AND used = 0', id) === 0);
  if (gone.length > 0) throw new UploadsUsed(gone);
}

/** Creates the store of photos that wait for an inspection, in SQLite. */
export function sqliteUploads(db: Database): UploadStore {
  return {
    async create({ id, accountId, environment, sha256, createdAtMs, announcedBytes }) {
      await db.write(() =>
        db.run(
          `INSERT INTO uploads (id, account_id, environment, sha256, created_at_ms, announced_bytes)
           VALUES (?, ?, ?, ?, ?, ?)`,
          ...[id, accountId, environment, sha256, createdAtMs, announcedBytes],
        ),
      );
    },
    async get(id) {
      const row = db.row('SELECT * FROM uploads WHERE id = ? AND used = 0', id);
      return row && toUpload(row);
    },
    async count(accountId, environment, afterMs) {
      const sql = `SELECT count(*) AS n FROM uploads
        WHERE account_id = ? AND environment = ? AND created_at_ms > ? AND used = 0`;
      return Number(db.row(sql, accountId, environment, afterMs)?.n);
    },
    async before(ms) {
      return db.rows('SELECT id FROM uploads WHERE created_at_ms < ?', ms).map((row) => row.id as string);
    },
    async use(ids) {
      await db.write(() => {
        for (const id of ids) {
          db.run('DELETE FROM uploads WHERE id = ? AND announced_bytes IS NULL', id);
          db.run('UPDATE uploads SET used = 1 WHERE id = ?', id);
        }
      });
    },
    async release(ids) {
      await db.write(() => {
        for (const id of ids) db.run('UPDATE uploads SET used = 0 WHERE id = ?', id);
      });
    },
    async remove(ids) {
      await db.write(() => {
        for (const id of ids) db.run('DELETE FROM uploads WHERE id = ?', id);
      });
    },
  };
}
