import type { IdempotencyStore, RateStore } from '../ports.ts';
import type { Database } from './database.ts';

/** Idempotency keys in SQLite. */
export function sqliteIdempotency(db: Database): IdempotencyStore {
  const at = 'account_id = ? AND operation = ? AND key = ?';
  return {
    claim: (ref, fingerprint, nowMs) =>
      db.write(() => {
        const row = db.row(`SELECT * FROM idempotency WHERE ${at}`, ref.accountId, ref.operation, ref.key);
        if (row) {
          return {
            fingerprint: row.fingerprint as string,
            resourceId: row.resource_id as string | null,
            answer: row.answer === null ? null : JSON.parse(row.answer as string),
            createdAtMs: row.created_at_ms as number,
          };
        }
        db.run(
          'INSERT INTO idempotency VALUES (?, ?, ?, ?, NULL, NULL, ?)',
          ref.accountId,
          ref.operation,
          ref.key,
          fingerprint,
          nowMs,
        );
        return undefined;
      }),
    async answer(ref, answer) {
      const text = JSON.stringify(answer);
      await db.write(() =>
        db.run(`UPDATE idempotency SET answer = ? WHERE ${at}`, text, ref.accountId, ref.operation, ref.key),
      );
    },
    async release(ref) {
      await db.write(() =>
        db.run(`DELETE FROM idempotency WHERE ${at}`, ref.accountId, ref.operation, ref.key),
      );
    },
    async sweep(olderThanMs) {
      await db.write(() => db.run('DELETE FROM idempotency WHERE created_at_ms < ?', olderThanMs));
    },
    async forgetAbandoned() {
      await db.write(() => db.run('DELETE FROM idempotency WHERE resource_id IS NULL AND answer IS NULL'));
    },
  };
}

/** Request counts per account and hour in SQLite. */
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
