import { randomUUID } from 'node:crypto';
import {
  HEARTBEAT_TIMEOUT_MS,
  type LeaseStore,
  type ProcessStore,
  type RequestSlots,
  type ServiceProcess,
} from '../records.ts';
import { makeReader } from '../sql/rows.ts';
import type { PostgresDatabase } from './database.ts';

const toProcess = makeReader<ServiceProcess>('id', 'kind', 'version', 'host');

/** Creates the store of processes and leases in PostgreSQL, which uses the server's clock. */
export function createPostgresProcesses(db: PostgresDatabase): ProcessStore & LeaseStore {
  const heartbeat: ProcessStore['heartbeat'] = async ({ id, kind, version, host }) => {
    const values = [id, kind, version, host];
    await db.run(
      'INSERT INTO processes VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET seen_at = now()',
      values,
    );
  };
  return {
    async register(process) {
      await heartbeat(process);
      await db.run("DELETE FROM processes WHERE seen_at < now() - interval '1 day'");
      await db.run('DELETE FROM slots WHERE process_id NOT IN (SELECT id FROM processes)');
    },
    heartbeat,
    unregister: (id) =>
      db.transaction(async (tx) => {
        await tx.run('DELETE FROM processes WHERE id = ?', [id]);
        await tx.run('DELETE FROM leases WHERE holder = ?', [id]);
        await tx.run('DELETE FROM slots WHERE process_id = ?', [id]);
      }),
    async listLive() {
      const rows = await db.all(
        `SELECT * FROM processes WHERE seen_at > now() - ? * interval '1 millisecond' ORDER BY id`,
        [HEARTBEAT_TIMEOUT_MS],
      );
      return rows.map((row) => toProcess(row));
    },
    async acquire(name, holder, ttlMs) {
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

/** Creates the store of the requests that all processes are answering. */
export function createPostgresSlots(db: PostgresDatabase): RequestSlots {
  return {
    take: ({ accountId, environment, processId }, limit) =>
      db.transaction(async (tx) => {
        // Requests of one account are serialized here, so together they never exceed the limit.
        await tx.get('SELECT pg_advisory_xact_lock(hashtextextended(?, 1))', [accountId]);
        const id = randomUUID();
        const changes = await tx.run(
          `INSERT INTO slots SELECT ?, ?, ?, ? WHERE ? > (SELECT count(*) FROM slots s
             JOIN processes p ON p.id = s.process_id AND p.seen_at > now() - ? * interval '1 millisecond'
             WHERE s.account_id = ? AND s.environment = ?)`,
          [id, accountId, environment, processId, limit, HEARTBEAT_TIMEOUT_MS, accountId, environment],
        );
        return changes === 1 ? id : undefined;
      }),
    async free(id) {
      await db.run('DELETE FROM slots WHERE id = ?', [id]);
    },
  };
}
