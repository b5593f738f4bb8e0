import type { UsageStore } from '../ports.ts';
import { toUsageDay } from '../rows.ts';
import { type Dialect, type SqlDatabase, type Statements, tx } from './database.ts';

/** Counts a finished job; to be used inside the transaction that finishes it. */
export function* countUsage({ photoCount }: Dialect, id: string): Statements<void> {
  yield* tx.run(
    `INSERT INTO usage_days AS so_far
       SELECT account_id, environment, substr(completed_at, 1, 10),
         CASE WHEN kind = 'visual' AND status = 'completed' THEN 1 ELSE 0 END,
         CASE WHEN kind = 'visual' AND status = 'completed' THEN ${photoCount} ELSE 0 END,
         CASE WHEN kind = 'visual' AND status = 'failed' THEN 1 ELSE 0 END,
         CASE WHEN kind = 'damage_assessment' THEN 1 ELSE 0 END
       FROM inspections WHERE id = ?
     ON CONFLICT (account_id, environment, day) DO UPDATE SET
       inspections = so_far.inspections + excluded.inspections, photos = so_far.photos + excluded.photos,
       failed = so_far.failed + excluded.failed, assessments = so_far.assessments + excluded.assessments`,
    id,
  );
}

/** Creates the store of jobs per day. */
export function createUsage(db: SqlDatabase): UsageStore {
  return {
    async listDays(accountId, environment, from, to) {
      const rows = await db.all(
        'SELECT * FROM usage_days WHERE account_id = ? AND environment = ? AND day >= ? AND day <= ? ORDER BY day',
        ...[accountId, environment, from, to],
      );
      return rows.map(toUsageDay);
    },
  };
}
