import type { RateCount } from '../records.ts';
import type { SqlDatabase } from './database.ts';

export function createRequestCounts(db: SqlDatabase) {
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
