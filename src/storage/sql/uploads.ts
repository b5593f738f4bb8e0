import type { UploadRecord } from '../records.ts';
import type { SqlDatabase } from './database.ts';
import { insertRecord, readRecord } from './rows.ts';

/** Creates the store of photos uploaded ahead of an inspection. */
export function createUploads(db: SqlDatabase) {
  return {
    create: (upload: UploadRecord) => insertRecord(db, 'uploads', upload),
    get: (id: string) => readRecord<UploadRecord>(db, 'SELECT * FROM uploads WHERE id = ?', [id]),
    async count(accountId: string, environment: string, afterMs: number) {
      const sql =
        'SELECT count(*) AS n FROM uploads WHERE account_id = ? AND environment = ? AND created_at_ms > ?';
      return Number((await db.get(sql, [accountId, environment, afterMs]))?.n);
    },
    async listBefore(ms: number) {
      const rows = await db.all('SELECT id FROM uploads WHERE created_at_ms < ?', [ms]);
      return rows.map((row) => row.id as string);
    },
    async remove(ids: readonly string[]) {
      await db.run('DELETE FROM uploads WHERE id = ANY(?)', [ids]);
    },
  };
}
