import { CLAIM_TTL_MS, type IdempotencyRef, type IdempotencyStore, type RateStore } from '../ports.ts';
import { toIdempotencyEntry } from '../rows.ts';
import type { SqlDatabase } from './database.ts';

/** Creates the store of idempotency keys. */
export function createIdempotency(db: SqlDatabase): IdempotencyStore {
  const whereKey = 'account_id = ? AND environment = ? AND operation = ? AND key = ?';
  const { now, ago, column } = db.dialect.time;
  const untilColumn = column('until');
  const whereUnresolved = 'claim = ANY(?) AND resource_id IS NULL AND answer IS NULL';
  const listKeyValues = (ref: IdempotencyRef) => [ref.accountId, ref.environment, ref.operation, ref.key];
  return {
    async claim(ref, fingerprint, nowMs, expiredMs = -1) {
      for (;;) {
        const inserted = await db.runReturning(
          `INSERT INTO idempotency AS held
             (account_id, environment, operation, key, fingerprint, created_at_ms, claim, ${untilColumn})
           VALUES (?, ?, ?, ?, ?, ?, ?, ${ago}) ON CONFLICT (account_id, environment, operation, key) DO UPDATE SET
             fingerprint = excluded.fingerprint, created_at_ms = excluded.created_at_ms, claim = excluded.claim,
             ${untilColumn} = excluded.${untilColumn}, resource_id = NULL, answer = NULL
           WHERE held.created_at_ms <= ? OR (held.resource_id IS NULL AND held.answer IS NULL
             AND held.${untilColumn} < ${now}) RETURNING 1`,
          ...[...listKeyValues(ref), fingerprint, nowMs, ref.claim, -CLAIM_TTL_MS, expiredMs],
        );
        if (inserted) return undefined;
        const row = await db.get(`SELECT * FROM idempotency WHERE ${whereKey}`, ...listKeyValues(ref));
        // Released in between, so the key is free now.
        if (row) return toIdempotencyEntry(row);
      }
    },
    async saveResponse(ref, answer) {
      const json = JSON.stringify(answer);
      await db.run(
        `UPDATE idempotency SET answer = ? WHERE ${whereKey} AND claim = ?`,
        ...[json, ...listKeyValues(ref), ref.claim],
      );
    },
    async renew(claims, ttlMs = CLAIM_TTL_MS) {
      await db.run(`UPDATE idempotency SET ${untilColumn} = ${ago} WHERE ${whereUnresolved}`, -ttlMs, claims);
    },
    async release(claims) {
      await db.run(`DELETE FROM idempotency WHERE ${whereUnresolved}`, claims);
    },
    async sweep(olderThanMs) {
      await db.run('DELETE FROM idempotency WHERE created_at_ms < ?', olderThanMs);
    },
  };
}

/** Creates the store of request counts per account and hour. */
export function createRates(db: SqlDatabase): RateStore {
  const readCount: RateStore['get'] = async ({ accountId, environment, windowStartMs }) => {
    const row = await db.get(
      'SELECT count FROM rates WHERE account_id = ? AND environment = ? AND window_start_ms = ?',
      ...[accountId, environment, windowStartMs],
    );
    return Number(row?.count ?? 0);
  };
  return {
    get: readCount,
    async add({ count, ...window }, limit) {
      const max = limit ?? Number.MAX_SAFE_INTEGER;
      const row = await db.runReturning(
        `INSERT INTO rates AS so_far SELECT ?, ?, CAST(? AS bigint), CAST(? AS bigint) WHERE CAST(? AS bigint) <= ?
         ON CONFLICT (account_id, environment, window_start_ms) DO UPDATE SET count = so_far.count + excluded.count
         WHERE so_far.count + excluded.count <= ? RETURNING count`,
        ...[window.accountId, window.environment, window.windowStartMs, count, count, max, max],
      );
      if (row) return { total: Number(row.count), granted: true };
      return { total: await readCount(window), granted: false };
    },
    async sweep(beforeMs) {
      await db.run('DELETE FROM rates WHERE window_start_ms < ?', beforeMs);
    },
  };
}
