import type { ProcessStore, ServiceProcess } from '../records.ts';
import { toRecord } from '../sql/rows.ts';
import type { SqliteDatabase } from './database.ts';

/** Creates the process registry in SQLite, where a data directory has a single process, which needs no heartbeat. */
export function createSqliteProcesses(db: SqliteDatabase): ProcessStore {
  return {
    register: ({ id, kind, version, host }) =>
      db.write(() => {
        db.run('DELETE FROM processes');
        // No process is left to complete these requests.
        db.run('DELETE FROM idempotency WHERE resource_id IS NULL AND answer IS NULL');
        db.run('INSERT INTO processes VALUES (?, ?, ?, ?)', [id, kind, version, host]);
      }),
    async heartbeat() {},
    unregister: async (id) => void (await db.write(() => db.run('DELETE FROM processes WHERE id = ?', [id]))),
    listLive: async () => db.all('SELECT * FROM processes').map((row) => toRecord<ServiceProcess>(row)),
  };
}
