import type { UsageStore } from '../ports.ts';
import { toUsageDay } from '../rows.ts';
import type { Database } from './database.ts';

/** Counts a piece of work that has ended; for use inside the transaction that ends it. */
export function countWork(db: Database, id: string): void {
  db.run(
    `INSERT INTO usage_days
       SELECT account_id, environment, substr(completed_at, 1, 10), kind = 'visual' AND status = 'completed',
         iif(kind = 'visual' AND status = 'completed', coalesce(json_array_length(request, '$.images'), 0), 0),
         kind = 'visual' AND status = 'failed', kind = 'damage_assessment'
       FROM inspections WHERE id = ?
     ON CONFLICT DO UPDATE SET inspections = inspections + excluded.inspections, photos = photos + excluded.photos,
       failed = failed + excluded.failed, assessments = assessments + excluded.assessments`,
    id,
  );
}

/** Creates the store of work per day in SQLite. */
export function sqliteUsage(db: Database): UsageStore {
  return {
    async days(accountId, environment, from, to) {
      const rows = db.rows(
        `SELECT * FROM usage_days WHERE account_id = ? AND environment = ? AND day >= ? AND day <= ? ORDER BY day`,
        accountId,
        environment,
        from,
        to,
      );
      return rows.map(toUsageDay);
    },
  };
}
