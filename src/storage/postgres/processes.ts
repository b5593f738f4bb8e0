import { HEARTBEAT_TIMEOUT_MS, type ProcessStore, type ServiceProcess } from '../records.ts';
import { type SqlDatabase, tx } from '../sql/database.ts';
import { readRecords } from '../sql/rows.ts';

/** Creates the store of processes and leases in PostgreSQL, which uses the server's clock. */
export function createPostgresProcesses(db: SqlDatabase): ProcessStore {
  const heartbeat: ProcessStore['heartbeat'] = async ({ id, kind, version, host }) => {
    const sql = 'INSERT INTO processes VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET seen_at = now()';
    await db.run(sql, [id, kind, version, host]);
  };
  return {
    async register(process) {
      await heartbeat(process);
      await db.run("DELETE FROM processes WHERE seen_at < now() - interval '1 day'");
      await db.run('DELETE FROM slots WHERE process_id NOT IN (SELECT id FROM processes)');
    },
    heartbeat,
    unregister: (id) =>
      db.transaction(function* () {
        yield* tx.run('DELETE FROM processes WHERE id = ?', [id]);
        yield* tx.run('DELETE FROM leases WHERE holder = ?', [id]);
        yield* tx.run('DELETE FROM slots WHERE process_id = ?', [id]);
      }),
    listLive() {
      const sql = `SELECT id, kind, version, host FROM processes
        WHERE seen_at > now() - ? * interval '1 millisecond' ORDER BY id`;
      return readRecords<ServiceProcess>(db, sql, [HEARTBEAT_TIMEOUT_MS]);
    },
    async acquireLease(name, holder, ttlMs) {
      const row = await db.get(
        `INSERT INTO leases AS held VALUES (?, ?, now() + ? * interval '1 millisecond')
         ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
         WHERE held.holder = excluded.holder OR held.until < now() RETURNING 1`,
        [name, holder, ttlMs],
      );
      return row !== undefined;
    },
  };
}
