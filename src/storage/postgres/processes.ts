import { HEARTBEAT_TIMEOUT_MS, type LeaseStore, type ProcessStore } from '../ports.ts';
import { toProcess } from '../rows.ts';
import type { Database } from './database.ts';

/** Creates the store of processes and leases in PostgreSQL, which uses the server's clock. */
export function createPostgresProcesses(db: Database): ProcessStore & LeaseStore {
  const heartbeat: ProcessStore['heartbeat'] = async ({ id, kind, version, host }) => {
    await db.run(
      `INSERT INTO processes VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET seen_at = now()`,
      ...[id, kind, version, host],
    );
  };
  return {
    async register(process) {
      await heartbeat(process);
      await db.run("DELETE FROM processes WHERE seen_at < now() - interval '1 day'");
    },
    heartbeat,
    async unregister(id) {
      await db.run('DELETE FROM processes WHERE id = ?', id);
      await db.run('DELETE FROM leases WHERE holder = ?', id);
    },
    async listLive() {
      const rows = await db.all(
        `SELECT * FROM processes WHERE seen_at > now() - ? * interval '1 millisecond' ORDER BY id`,
        HEARTBEAT_TIMEOUT_MS,
      );
      return rows.map(toProcess);
    },
    async acquire(name, holder, ttlMs) {
      const row = await db.get(
        `INSERT INTO leases AS held VALUES (?, ?, now() + ? * interval '1 millisecond')
         ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
         WHERE held.holder = excluded.holder OR held.until < now() RETURNING 1`,
        ...[name, holder, ttlMs],
      );
      return row !== undefined;
    },
  };
}
