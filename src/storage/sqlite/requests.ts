import type { IdempotencyRef, IdempotencyStore, RateStore } from '../ports.ts';
import { toEntry } from '../rows.ts';
import type { Database } from './database.ts';

/** Creates the store of idempotency keys in SQLite. */
export function sqliteIdempotency(db: Database): IdempotencyStore {
  const at = 'account_id = ? AND operation = ? AND key = ?';
  const own = `${at} AND process = ?`;
  const ownOf = (ref: IdempotencyRef) => [ref.accountId, ref.operation, ref.key, ref.process];
  return {
    claim: (ref, fingerprint, nowMs, expiredMs = -1) =>
      db.write(() => {
        const row = db.row(
          `SELECT *, resource_id IS NULL AND answer IS NULL
             AND NOT EXISTS (SELECT 1 FROM processes WHERE id = process) AS abandoned FROM idempotency WHERE ${at}`,
          ref.accountId,
          ref.operation,
          ref.key,
        );
        if (row && row.abandoned === 0 && (row.created_at_ms as number) > expiredMs) {
          return toEntry(row);
        }
        db.run(
          `INSERT OR REPLACE INTO idempotency (account_id, operation, key, fingerprint, created_at_ms, process)
           VALUES (?, ?, ?, ?, ?, ?)`,
          ref.accountId,
          ref.operation,
          ref.key,
          fingerprint,
          nowMs,
          ref.process,
        );
        return undefined;
      }),
    async answer(ref, answer) {
      const text = JSON.stringify(answer);
      await db.write(() => db.run(`UPDATE idempotency SET answer = ? WHERE ${own}`, text, ...ownOf(ref)));
    },
    async release(ref) {
      await db.write(() => db.run(`DELETE FROM idempotency WHERE ${own}`, ...ownOf(ref)));
    },
    async sweep(olderThanMs) {
      await db.write(() => db.run('DELETE FROM idempotency WHERE created_at_ms < ?', olderThanMs));
    },
  };
}

/** Creates the store of request counts per account and hour in SQLite. */
export function sqliteRates(db: Database): RateStore {
  const readCount = (accountId: string, windowStartMs: number) => {
    const sql = 'SELECT count FROM rates WHERE account_id = ? AND window_start_ms = ?';
    return Number(db.row(sql, accountId, windowStartMs)?.count ?? 0);
  };
  return {
    async get(accountId, windowStartMs) {
      return readCount(accountId, windowStartMs);
    },
    async add({ accountId, windowStartMs, count }, limit) {
      const row = db.row(
        `INSERT INTO rates SELECT ?1, ?2, ?3 WHERE ?4 IS NULL OR ?3 <= ?4
         ON CONFLICT (account_id, window_start_ms) DO UPDATE SET count = count + excluded.count
         WHERE ?4 IS NULL OR count + excluded.count <= ?4 RETURNING count`,
        accountId,
        windowStartMs,
        count,
        limit,
      );
      if (row) return { total: Number(row.count), granted: true };
      return { total: readCount(accountId, windowStartMs), granted: false };
    },
    async sweep(beforeMs) {
      db.run('DELETE FROM rates WHERE window_start_ms < ?', beforeMs);
    },
  };
}
