import { DEAD_MS, type IdempotencyRef, type IdempotencyStore, type RateStore } from '../ports.ts';
import { toEntry } from '../rows.ts';
import type { Database } from './database.ts';

/** True in SQL for a claim that no longer counts. */
const ABANDONED = `held.resource_id IS NULL AND held.answer IS NULL AND NOT EXISTS (SELECT 1 FROM processes
  WHERE id = held.process AND seen_at > now() - ${DEAD_MS} * interval '1 millisecond')`;

/** Creates the store of idempotency keys in PostgreSQL. */
export function postgresIdempotency(db: Database): IdempotencyStore {
  const at = 'account_id = ? AND operation = ? AND key = ?';
  const own = `${at} AND process = ?`;
  const atOf = (ref: IdempotencyRef) => [ref.accountId, ref.operation, ref.key];
  return {
    async claim(ref, fingerprint, nowMs, expiredMs = -1) {
      for (;;) {
        const claimed = await db.row(
          `INSERT INTO idempotency AS held (account_id, operation, key, fingerprint, created_at_ms, process)
           VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (account_id, operation, key) DO UPDATE SET
             fingerprint = excluded.fingerprint, created_at_ms = excluded.created_at_ms, process = excluded.process,
             resource_id = NULL, answer = NULL
           WHERE held.created_at_ms <= ? OR (${ABANDONED}) RETURNING 1`,
          ...[...atOf(ref), fingerprint, nowMs, ref.process, expiredMs],
        );
        if (claimed) return undefined;
        const row = await db.row(`SELECT * FROM idempotency WHERE ${at}`, ...atOf(ref));
        // Given up in between: it is free now.
        if (row) return toEntry(row);
      }
    },
    async answer(ref, answer) {
      const text = JSON.stringify(answer);
      await db.run(`UPDATE idempotency SET answer = ? WHERE ${own}`, text, ...atOf(ref), ref.process);
    },
    async release(ref) {
      await db.run(`DELETE FROM idempotency WHERE ${own}`, ...atOf(ref), ref.process);
    },
    async sweep(olderThanMs) {
      await db.run('DELETE FROM idempotency WHERE created_at_ms < ?', olderThanMs);
    },
  };
}

/** Creates the store of request counts per account and hour in PostgreSQL. */
export function postgresRates(db: Database): RateStore {
  const readCount = async (accountId: string, windowStartMs: number) => {
    const sql = 'SELECT count FROM rates WHERE account_id = ? AND window_start_ms = ?';
    return Number((await db.row(sql, accountId, windowStartMs))?.count ?? 0);
  };
  return {
    get: readCount,
    async add({ accountId, windowStartMs, count }, limit) {
      const row = await db.row(
        `INSERT INTO rates AS so_far SELECT ?, ?, ?::bigint WHERE ?::bigint IS NULL OR ?::bigint <= ?::bigint
         ON CONFLICT (account_id, window_start_ms) DO UPDATE SET count = so_far.count + excluded.count
         WHERE ?::bigint IS NULL OR so_far.count + excluded.count <= ?::bigint RETURNING count`,
        ...[accountId, windowStartMs, count, limit, count, limit, limit, limit],
      );
      if (row) return { total: Number(row.count), granted: true };
      return { total: await readCount(accountId, windowStartMs), granted: false };
    },
    async sweep(beforeMs) {
      await db.run('DELETE FROM rates WHERE window_start_ms < ?', beforeMs);
    },
  };
}
