import type { IdempotencyRef, IdempotencyStore, RateStore } from '../ports.ts';
import { toEntry } from '../rows.ts';
import type { SqlDatabase } from './database.ts';

/** Creates the store of idempotency keys. */
export function createIdempotency(db: SqlDatabase): IdempotencyStore {
  const at = 'account_id = ? AND operation = ? AND key = ?';
  const own = `${at} AND process = ?`;
  const listKeyValues = (ref: IdempotencyRef) => [ref.accountId, ref.operation, ref.key];
  return {
    async claim(ref, fingerprint, nowMs, expiredMs = -1) {
      for (;;) {
        const claimed = await db.change(
          `INSERT INTO idempotency AS held (account_id, operation, key, fingerprint, created_at_ms, process)
           VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (account_id, operation, key) DO UPDATE SET
             fingerprint = excluded.fingerprint, created_at_ms = excluded.created_at_ms, process = excluded.process,
             resource_id = NULL, answer = NULL
           WHERE held.created_at_ms <= ? OR (held.resource_id IS NULL AND held.answer IS NULL
             AND NOT (${db.dialect.lives})) RETURNING 1`,
          ...[...listKeyValues(ref), fingerprint, nowMs, ref.process, expiredMs],
        );
        if (claimed) return undefined;
        const row = await db.row(`SELECT * FROM idempotency WHERE ${at}`, ...listKeyValues(ref));
        // Given up in between: it is free now.
        if (row) return toEntry(row);
      }
    },
    async answer(ref, answer) {
      const text = JSON.stringify(answer);
      await db.run(
        `UPDATE idempotency SET answer = ? WHERE ${own}`,
        text,
        ...listKeyValues(ref),
        ref.process,
      );
    },
    async release(ref) {
      await db.run(`DELETE FROM idempotency WHERE ${own}`, ...listKeyValues(ref), ref.process);
    },
    async sweep(olderThanMs) {
      await db.run('DELETE FROM idempotency WHERE created_at_ms < ?', olderThanMs);
    },
  };
}

/** Creates the store of request counts per account and hour. */
export function createRates(db: SqlDatabase): RateStore {
  const readCount = async (accountId: string, windowStartMs: number) => {
    const sql = 'SELECT count FROM rates WHERE account_id = ? AND window_start_ms = ?';
    return Number((await db.row(sql, accountId, windowStartMs))?.count ?? 0);
  };
  return {
    get: readCount,
    async add({ accountId, windowStartMs, count }, limit) {
      const most = limit ?? Number.MAX_SAFE_INTEGER;
      const row = await db.change(
        `INSERT INTO rates AS so_far SELECT ?, CAST(? AS bigint), CAST(? AS bigint) WHERE CAST(? AS bigint) <= ?
         ON CONFLICT (account_id, window_start_ms) DO UPDATE SET count = so_far.count + excluded.count
         WHERE so_far.count + excluded.count <= ? RETURNING count`,
        ...[accountId, windowStartMs, count, count, most, most],
      );
      if (row) return { total: Number(row.count), granted: true };
      return { total: await readCount(accountId, windowStartMs), granted: false };
    },
    async sweep(beforeMs) {
      await db.run('DELETE FROM rates WHERE window_start_ms < ?', beforeMs);
    },
  };
}
