import type { InspectionQuery } from '../records.ts';
import { type SqlDatabase, type Statements, tx } from './database.ts';
import { joinConditions } from './rows.ts';

/** Grouping key of the totals, which lists report; counting records would slow down as they grow. */
const GROUP = 'account_id, environment, substr(created_at, 1, 10), kind, status, reviewed_at IS NOT NULL';

export function* addToTotals(change: 1 | -1, ids: readonly string[]): Statements<void> {
  yield* tx.run(
    `INSERT INTO totals SELECT ${GROUP}, CAST(? AS integer) * count(*) FROM inspections WHERE id = ANY(?) GROUP BY ${GROUP}
     ON CONFLICT (account_id, environment, day, kind, status, reviewed) DO UPDATE SET n = totals.n + excluded.n`,
    [change, ids],
  );
}

/** Changes records within a transaction, and updates the totals accordingly. */
export function* recount<T>(ids: readonly string[], change: () => Statements<T>): Statements<T> {
  // Changes of one account are serialized, because they may lock the same totals in different orders.
  yield* tx.all(
    'SELECT i.id FROM inspections i JOIN accounts a ON a.id = i.account_id WHERE i.id = ANY(?) FOR UPDATE',
    [ids],
  );
  yield* addToTotals(-1, ids);
  const result = yield* change();
  yield* addToTotals(1, ids);
  return result;
}

/** Conditions of a query that records and their totals write differently. */
const IN_RECORDS = { time: 'created_at', reviewed: '(reviewed_at IS NULL) = (? = 0)' };
const IN_TOTALS = { time: 'day', reviewed: 'reviewed = (? = 1)' };

/** Returns the SQL condition of a query; its times can be overridden. */
export function toCondition(
  query: InspectionQuery,
  after = query.createdAfter,
  before = query.createdBefore,
  { time, reviewed } = IN_RECORDS,
) {
  return joinConditions([
    ['account_id = ?', query.accountId],
    ['environment = ?', query.environment],
    ['kind = ?', query.kind],
    ['vehicle_id = ?', query.vehicleId],
    ['status = ?', query.status],
    [reviewed, query.reviewed === undefined ? undefined : Number(query.reviewed)],
    [`${time} >= ?`, after],
    [`${time} < ?`, before],
  ]);
}

/** Counts the records of a query: whole days from the totals, and individually for a vehicle or a partial day. */
export async function countRecords(db: SqlDatabase, query: InspectionQuery): Promise<number> {
  const { createdAfter, createdBefore } = query;
  const read = async (from: string, { sql, values }: ReturnType<typeof joinConditions>) =>
    Number((await db.get(`SELECT ${from} WHERE ${sql}`, values))?.n);
  const count = (after?: string, before?: string) =>
    read('count(*) AS n FROM inspections', toCondition(query, after, before));
  // As text, a day sorts before its times, and these before the day followed by a U.
  const isMidnight = createdAfter?.endsWith('T00:00:00.000Z');
  const firstDay = createdAfter && `${createdAfter.slice(0, 10)}${isMidnight ? '' : 'U'}`;
  const endDay = createdBefore?.slice(0, 10);
  if (query.vehicleId !== undefined || (firstDay && endDay && firstDay > endDay)) return count();
  const wholeDays = toCondition(query, firstDay, endDay, IN_TOTALS);
  const total = await read('coalesce(sum(n), 0) AS n FROM totals', wholeDays);
  const before = firstDay === undefined ? 0 : await count(createdAfter, firstDay);
  return total + before + (endDay === undefined ? 0 : await count(endDay, createdBefore));
}
