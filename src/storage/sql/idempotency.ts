import { CLAIM_TTL_MS, type IdempotencyEntry, type IdempotencyRef, type RateCount } from '../records.ts';
import type { SqlDatabase } from './database.ts';
import { makeReader } from './rows.ts';

const toEntry = makeReader<IdempotencyEntry>('fingerprint', 'resourceId', 'answer', 'createdAtMs');

/** Creates the store of idempotency keys. */
export function createIdempotency({ nowMs: now, ...db }: SqlDatabase) {
  const whereKey = 'account_id = ? AND environment = ? AND operation = ? AND key = ?';
  const whereUnresolved = 'claim = ANY(?) AND resource_id IS NULL AND answer IS NULL';
  const listKeyValues = (ref: IdempotencyRef) => [ref.accountId, ref.environment, ref.operation, ref.key];
  return {
    /**
     * Claims the key. If it is taken, changes nothing and returns the existing entry. A claim without resource or
     * response expires `CLAIM_TTL_MS` after its creation or renewal; entries created at `expiredMs` or earlier are ignored.
     */
    async claim(ref: IdempotencyRef, fingerprint: string, createdAtMs: number, expiredMs = -1) {
      for (;;) {
        const inserted = await db.runReturning(
          `INSERT INTO idempotency AS held
             (account_id, environment, operation, key, fingerprint, created_at_ms, claim, until_ms)
           VALUES (?, ?, ?, ?, ?, ?, ?, ${now} + ?) ON CONFLICT (account_id, environment, operation, key) DO UPDATE SET
             fingerprint = excluded.fingerprint, created_at_ms = excluded.created_at_ms, claim = excluded.claim,
             until_ms = excluded.until_ms, resource_id = NULL, answer = NULL
           WHERE held.created_at_ms <= ? OR (held.resource_id IS NULL AND held.answer IS NULL
             AND held.until_ms < ${now}) RETURNING 1`,
          [...listKeyValues(ref), fingerprint, createdAtMs, ref.claim, CLAIM_TTL_MS, expiredMs],
        );
        if (inserted) return undefined;
        const row = await db.get(`SELECT * FROM idempotency WHERE ${whereKey}`, listKeyValues(ref));
        // The key was released in between, so it is free now.
        if (row) return toEntry(row);
      }
    },
    async saveResponse(ref: IdempotencyRef, answer: NonNullable<IdempotencyEntry['answer']>) {
      await db.run(`UPDATE idempotency SET answer = ? WHERE ${whereKey} AND claim = ?`, [
        JSON.stringify(answer),
        ...listKeyValues(ref),
        ref.claim,
      ]);
    },
    /** Extends claims that have no resource yet, counting from now. */
    async renew(claims: readonly string[], ttlMs = CLAIM_TTL_MS) {
      await db.run(`UPDATE idempotency SET until_ms = ${now} + ? WHERE ${whereUnresolved}`, [ttlMs, claims]);
    },
    /** Releases claims that have no resource. */
    async release(claims: readonly string[]) {
      await db.run(`DELETE FROM idempotency WHERE ${whereUnresolved}`, [claims]);
    },
    async sweep(olderThanMs: number) {
      await db.run('DELETE FROM idempotency WHERE created_at_ms < ?', [olderThanMs]);
    },
  };
}

/** Creates the store of request counts per account and hour. */
export function createRates(db: SqlDatabase) {
  const readCount = async ({ accountId, environment, windowStartMs }: Omit<RateCount, 'count'>) => {
    const row = await db.get(
      'SELECT count FROM rates WHERE account_id = ? AND environment = ? AND window_start_ms = ?',
      [accountId, environment, windowStartMs],
    );
    return Number(row?.count ?? 0);
  };
  return {
    get: readCount,
    /**
     * Adds to the count unless that would exceed the limit (null: none). A single atomic statement, so processes that
     * share a database count together. `total` is the stored count afterwards.
     */
    async add({ count, ...window }: RateCount, limit: number | null) {
      const max = limit ?? Number.MAX_SAFE_INTEGER;
      const row = await db.runReturning(
        `INSERT INTO rates AS so_far SELECT ?, ?, CAST(? AS bigint), CAST(? AS bigint) WHERE CAST(? AS bigint) <= ?
         ON CONFLICT (account_id, environment, window_start_ms) DO UPDATE SET count = so_far.count + excluded.count
         WHERE so_far.count + excluded.count <= ? RETURNING count`,
        [window.accountId, window.environment, window.windowStartMs, count, count, max, max],
      );
      if (row) return { total: Number(row.count), granted: true };
      return { total: await readCount(window), granted: false };
    },
    /** Removes windows that began before this time. */
    async sweep(beforeMs: number) {
      await db.run('DELETE FROM rates WHERE window_start_ms < ?', [beforeMs]);
    },
  };
}
