import type { UploadStore } from '../ports.ts';
import { toUpload } from '../rows.ts';
import type { Database } from './database.ts';

/** Creates the store of photos that wait for an inspection, in SQLite. */
export function sqliteUploads(db: Database): UploadStore {
  return {
    async create({ id, accountId, environment, sha256, createdAtMs }) {
      await db.write(() =>
        db.run(
          'INSERT INTO uploads (id, account_id, environment, sha256, created_at_ms) VALUES (?, ?, ?, ?, ?)',
          id,
          accountId,
          environment,
          sha256,
          createdAtMs,
        ),
      );
    },
    async get(id) {
      const row = db.row('SELECT * FROM uploads WHERE id = ?', id);
      return row && toUpload(row);
    },
    async count(accountId, environment, afterMs) {
      const sql =
        'SELECT count(*) AS n FROM uploads WHERE account_id = ? AND environment = ? AND created_at_ms > ?';
      return Number(db.row(sql, accountId, environment, afterMs)?.n);
    },
    async before(ms) {
      return db.rows('SELECT id FROM uploads WHERE created_at_ms < ?', ms).map((row) => row.id as string);
    },
    async remove(ids) {
      await db.write(() => {
        for (const id of ids) db.run('DELETE FROM uploads WHERE id = ?', id);
      });
    },
  };
}
