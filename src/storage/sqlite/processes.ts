import type { ProcessStore, ServiceProcess } from '../records.ts';
import { type SqlDatabase, tx } from '../sql/database.ts';
import { readRecords } from '../sql/rows.ts';

/** Creates the process registry in SQLite, where a data directory has a single process, which needs no heartbeat. */
export function createSqliteProcesses(db: SqlDatabase): ProcessStore {
  return {
    register: ({ id, kind, version, host }) =>
      db.transaction(function* () {
        yield* tx.run('DELETE FROM processes');
        // No process is left to complete these requests.
        yield* tx.run('DELETE FROM idempotency WHERE resource_id IS NULL AND answer IS NULL');
        yield* tx.run('INSERT INTO processes VALUES (?, ?, ?, ?)', [id, kind, version, host]);
      }),
    async heartbeat() {},
    unregister: async (id) => void (await db.run('DELETE FROM processes WHERE id = ?', [id])),
    listLive: () => readRecords<ServiceProcess>(db, 'SELECT * FROM processes'),
    acquireLease: async () => true,
  };
}
