import type { InspectionRecord, OrderStore, QueuePosition } from '../ports.ts';
import { type Statements, tx } from '../sql/database.ts';
import type { Database } from './database.ts';

/** Assigns the next tag of an account, within the transaction that creates its job. */
export function* assignTag(
  { accountId, environment }: Pick<InspectionRecord, 'accountId' | 'environment'>,
  cost: number,
): Statements<QueuePosition> {
  const row = yield* tx.get(
    `WITH now AS (
       SELECT coalesce(max(begun), 0) AS begun, coalesce(max(base), 0) AS base FROM work_order WHERE environment = ?
     )
     INSERT INTO shares SELECT ?, ?, begun + ? FROM now
     ON CONFLICT (environment, account_id)
       DO UPDATE SET tag = greatest(shares.tag, (SELECT begun FROM now)) + ?
     RETURNING tag, (SELECT base FROM now) AS base`,
    ...[environment, environment, accountId, cost, cost],
  );
  return { tag: row?.tag as number, base: row?.base as number };
}

/** Creates the store of the fair order in PostgreSQL. */
export function createPostgresOrder(db: Database): OrderStore {
  return {
    async read(environment) {
      const row = await db.get('SELECT begun, base FROM work_order WHERE environment = ?', environment);
      return { startedTag: (row?.begun as number) ?? 0, base: (row?.base as number) ?? 0 };
    },
    async advance(environment, tag) {
      await db.run(
        `INSERT INTO work_order VALUES (?, ?, 0)
         ON CONFLICT (environment) DO UPDATE SET begun = excluded.begun WHERE work_order.begun < excluded.begun`,
        ...[environment, tag],
      );
    },
    async rebase(environment) {
      await db.run('UPDATE work_order SET base = begun WHERE environment = ?', environment);
    },
    async charge(accountId, environment, cost) {
      await db.run(
        'UPDATE shares SET tag = tag + ? WHERE environment = ? AND account_id = ?',
        ...[cost, environment, accountId],
      );
    },
    async countUnfinished(accountId, environment, limit) {
      const row = await db.get(
        `SELECT count(*) AS n FROM (
           SELECT 1 FROM inspections WHERE account_id = ? AND environment = ? AND status = 'processing' AND NOT parked
           LIMIT ?) found`,
        ...[accountId, environment, limit],
      );
      return row?.n as number;
    },
  };
}
