import { HOUR_MS } from '../../lib/durations.ts';
import type { RemovalFilter } from '../records.ts';
import { type Row, type SqlDatabase, tx } from './database.ts';
import { joinConditions } from './rows.ts';
import { recount } from './totals.ts';

/** Time for which a running attempt may still write files after its record was removed. */
const MAX_ATTEMPT_MS = HOUR_MS;
/** Maximum number of ids that one call of `listPendingCleanups` returns. */
const MAX_PENDING_CLEANUPS = 1_000;

const toOwners = (rows: readonly Row[]) => rows.map((row) => row.owner as string);

/** Creates the store of removals: of records, and of files that a result or a removed record leaves behind. */
export function createRemovals(db: SqlDatabase) {
  const { sqlNowMs } = db;
  return {
    /**
     * Returns ids of finished records whose files may need cleanup, because a process may have died between storing a
     * result and removing its inputs. Optionally only those finished before a time, epoch ms.
     */
    async listPendingCleanups(beforeMs = Number.MAX_SAFE_INTEGER) {
      const sql = 'SELECT owner FROM leftovers WHERE ended_at_ms < ? ORDER BY owner LIMIT ?';
      return toOwners(await db.all(sql, [beforeMs, MAX_PENDING_CLEANUPS]));
    },
    /** Marks records as cleaned up: only the files named by their results remain. */
    async markCleanedUp(ids: readonly string[]) {
      await db.run('DELETE FROM leftovers WHERE owner = ANY(?)', [ids]);
    },
    /**
     * Removes at most `limit` records with their events and keys, and records that their files must be removed too;
     * returns their ids. An empty filter removes nothing.
     */
    async purge(filter: RemovalFilter, limit: number): Promise<string[]> {
      const { sql, values } = joinConditions([
        ['created_at < ?', filter.before],
        ['vehicle_id = ?', filter.vehicleId],
        ['id = ?', filter.id],
        ['account_id = ?', filter.accountId],
      ]);
      if (sql === '') return [];
      return db.transaction(function* () {
        const select = `SELECT id FROM inspections WHERE ${sql} ORDER BY created_at, id LIMIT ? FOR UPDATE`;
        const ids = (yield* tx.all(select, [...values, limit])).map((row) => row.id as string);
        yield* tx.run(
          `INSERT INTO removals SELECT id, CASE status WHEN 'processing' THEN CAST(${sqlNowMs} + ? AS bigint) ELSE 0 END
             FROM inspections WHERE id = ANY(?) ON CONFLICT DO NOTHING`,
          [MAX_ATTEMPT_MS, ids],
        );
        yield* tx.run('DELETE FROM idempotency WHERE resource_id = ANY(?)', [ids]);
        yield* tx.run('DELETE FROM webhook_messages WHERE resource_id = ANY(?)', [ids]);
        yield* tx.run('DELETE FROM leftovers WHERE owner = ANY(?)', [ids]);
        yield* recount(ids, function* () {
          // The records were subtracted before, so the groups that held nothing else are at zero.
          yield* tx.run(
            `DELETE FROM totals WHERE n = 0 AND (account_id, environment, day) IN
               (SELECT account_id, environment, substr(created_at, 1, 10) FROM inspections WHERE id = ANY(?))`,
            [ids],
          );
          yield* tx.run('DELETE FROM inspections WHERE id = ANY(?)', [ids]);
        });
        return ids;
      });
    },
    /** Returns owners whose files must still be removed, or removed again because an analysis was running. */
    listRemovals: async () => toOwners(await db.all('SELECT owner FROM removals ORDER BY owner')),
    /** Records that the files of these owners were removed; owners to which an analysis may still add files stay listed. */
    async markFilesRemoved(owners: readonly string[]) {
      await db.run(`DELETE FROM removals WHERE owner = ANY(?) AND until_ms < ${sqlNowMs}`, [owners]);
    },
  };
}
