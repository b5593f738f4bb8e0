import { randomUUID } from 'node:crypto';
import { HEARTBEAT_TIMEOUT_MS, type RequestSlots } from '../records.ts';
import { type SqlDatabase, tx } from '../sql/database.ts';

/** Creates the store of the requests that all processes are answering. */
export function createPostgresSlots(db: SqlDatabase): RequestSlots {
  return {
    take: ({ accountId, environment, processId }, limit) =>
      db.transaction(function* () {
        // Requests of one account are serialized here, so together they never exceed the limit.
        yield* tx.get('SELECT pg_advisory_xact_lock(hashtextextended(?, 1))', [accountId]);
        const id = randomUUID();
        const changes = yield* tx.run(
          `INSERT INTO slots SELECT ?, ?, ?, ? WHERE ? > (SELECT count(*) FROM slots s
             JOIN processes p ON p.id = s.process_id AND p.seen_at > now() - ? * interval '1 millisecond'
             WHERE s.account_id = ? AND s.environment = ?)`,
          [id, accountId, environment, processId, limit, HEARTBEAT_TIMEOUT_MS, accountId, environment],
        );
        // If freeing fails, the slot lapses once this process counts as dead.
        const free = () => db.run('DELETE FROM slots WHERE id = ?', [id]).catch(() => undefined);
        return changes === 1 ? () => void free() : undefined;
      }),
  };
}
