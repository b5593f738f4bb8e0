import type { IdempotencyStore, RateStore } from '../ports.ts';
import type { Database } from './database.ts';

/** Idempotency keys in SQLite. */
export function sqliteIdempotency(db: Database): IdempotencyStore {
  const at = 'account_id = ? AND operation = ? AND key = ?';
  return {
    async claim(ref, fingerprint, nowMs) {
      return db.transaction(() => {
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
      });
    },
    async answer(ref, answer) {
      db.run(
        `UPDATE idempotency SET answer = ? WHERE ${at}`,
        JSON.stringify(answer),
        ref.accountId,
        ref.operation,
        ref.key,
      );
    },
    async release(ref) {
      db.run(`DELETE FROM idempotency WHERE ${at}`, ref.accountId, ref.operation, ref.key);
    },
    async sweep(olderThanMs, abandoned) {
      db.run('DELETE FROM idempotency WHERE created_at_ms < ?', olderThanMs);
      if (abandoned) db.run('DELETE FROM idempotency WHERE resource_id IS NULL AND answer IS NULL');
    },
  };
}

/** Request counts per account and hour in SQLite. */
export function sqliteRates(db: Database): RateStore {
  return {
    async get(accountId, windowStartMs) {
      const row = db.row(
        'SELECT count FROM rates WHERE account_id = ? AND window_start_ms = ?',
        accountId,
        windowStartMs,
      );
      return Number(row?.count ?? 0);
    },
    async reserve({ accountId, windowStartMs, count: wanted }, limit, keepFromMs) {
      return db.transaction(() => {
        db.run('DELETE FROM rates WHERE window_start_ms < ?', keepFromMs);
        const row = db.row(
          'SELECT count FROM rates WHERE account_id = ? AND window_start_ms = ?',
          accountId,
          windowStartMs,
        );
        const count = Number(row?.count ?? 0);
        const granted = limit === null ? wanted : Math.max(0, Math.min(wanted, limit - count));
        if (granted > 0) {
          db.run(
            `INSERT INTO rates VALUES (?, ?, ?)
             ON CONFLICT (account_id, window_start_ms) DO UPDATE SET count = count + excluded.count`,
            accountId,
            windowStartMs,
            granted,
          );
        }
        return { count: count + granted, granted };
      });
    },
    async giveBack(counts) {
      db.transaction(() => {
        for (const { accountId, windowStartMs, count } of counts) {
          db.run(
            'UPDATE rates SET count = max(0, count - ?) WHERE account_id = ? AND window_start_ms = ?',
            count,
            accountId,
            windowStartMs,
          );
        }
      });
    },
  };
}
