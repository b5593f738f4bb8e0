import { computeTag, type UnfinishedTags } from '../fair-order.ts';
import type { InspectionRecord } from '../records.ts';
import {
  type SqlDatabase,
  type Statement,
  type StatementResult,
  type Statements,
  tx,
} from '../sql/database.ts';
import type { PostgresDatabase, Queries } from './database.ts';

/** Assigns the tag of an account's next job. Creations of one account take turns here, so no two get the same. */
function* assignTag(
  { accountId, environment }: Pick<InspectionRecord, 'accountId' | 'environment'>,
  cost: number,
): Statements<number> {
  yield* tx.get('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [accountId]);
  const tags = yield* tx.get(
    `SELECT max(tag) FILTER (WHERE account_id = ?) AS own, max(tag) FILTER (WHERE attempts > 0) AS started,
       min(tag) FILTER (WHERE attempts = 0) AS next
     FROM inspections WHERE environment = ? AND status = 'processing' AND NOT parked`,
    [accountId, environment],
  );
  return computeTag(tags as unknown as UnfinishedTags, cost);
}

async function execute(queries: Queries, { sql, values, returns }: Statement): Promise<StatementResult> {
  return returns === 'count'
    ? { rows: [], changes: await queries.run(sql, values) }
    : { rows: await queries.all(sql, values), changes: 0 };
}

/** Adapts a PostgreSQL database to the interface that the stores use. */
export function adaptPostgres(db: PostgresDatabase): SqlDatabase {
  return {
    run: db.run,
    runReturning: db.get,
    get: db.get,
    all: db.all,
    transaction: (callback) =>
      db.transaction(async (queries) => {
        const statements = callback();
        let step = statements.next();
        while (!step.done) step = statements.next(await execute(queries, step.value));
        return step.value;
      }),
    sqlNowMs: 'CAST(extract(epoch FROM now()) * 1000 AS bigint)',
    assignTag,
  };
}
