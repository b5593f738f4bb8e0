import type { RateWindow } from '../records.ts';
import type { SqlDatabase } from './database.ts';

export function createRequestCounts(db: SqlDatabase) {
  const toValues = (window: RateWindow) => [window.accountId, window.environment, window.windowStartMs];
  const readCount = async (window: RateWindow) => {
    const sql = 'SELECT count FROM rates WHERE account_id = ? AND environment = ? AND window_start_ms = ?';
    return Number((await db.get(sql, toValues(window)))?.count ?? 0);
  };
  return {
    get: readCount,
    /**
     * Counts a request unless that would exceed the limit (null: none). A single atomic statement, so processes that
     * share a database count together. `total` is the stored count afterwards.
     */
    async add(window: RateWindow, limit: number | null) {
      const max = limit ?? Number.MAX_SAFE_INTEGER;
      const row = await db.runReturning(
        `INSERT INTO rates AS so_far SELECT ?, ?, CAST(? AS bigint), 1 WHERE 1 <= CAST(? AS bigint)
         ON CONFLICT (account_id, environment, window_start_ms) DO UPDATE SET count = so_far.count + 1
         WHERE so_far.count < ? RETURNING count`,
        [...toValues(window), max, max],
      );
      if (row) return { total: Number(row.count), granted: true };
      return { total: await readCount(window), granted: false };
    },
    async sweep(beforeMs: number) {
      await db.run('DELETE FROM rates WHERE window_start_ms < ?', [beforeMs]);
    },
  };
}
