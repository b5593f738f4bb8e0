import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { InspectionQuery } from '../../../src/storage/ports.ts';
import type { Row, SqlDatabase, Statements, Value } from '../../../src/storage/sql/database.ts';
import { createStores } from '../../../src/storage/sql/stores.ts';
import { openDatabase, type SqliteDatabase } from '../../../src/storage/sqlite/database.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

/*
 * What is asked at every request, delivery or removal costs the same however much is stored only while SQLite finds it
 * by an index in the order it is wanted: no table is scanned, nothing is sorted.
 */
let real: SqliteDatabase;
let db: SqlDatabase;
let asked: string[];
beforeEach(() => {
  real = openDatabase(join(makeOwnFolder('plans'), 'vehi.db'));
  asked = [];
  const note = (sql: string) => {
    if (/^\s*(SELECT|UPDATE|DELETE|WITH)/.test(sql)) asked.push(sql);
  };
  const noting =
    <R>(ask: (sql: string, values?: readonly Value[]) => R) =>
    (sql: string, values?: readonly Value[]): R => {
      note(sql);
      return ask(sql, values);
    };
  function* noteSteps<T>(statements: Statements<T>): Statements<T> {
    let step = statements.next();
    for (; !step.done; step = statements.next(yield step.value)) note(step.value.sql);
    return step.value;
  }
  db = {
    ...real,
    run: noting(real.run),
    get: noting(real.get),
    all: noting(real.all),
    transaction: (callback) => real.transaction(() => noteSteps(callback())),
  };
});
afterEach(() => real.close());

/** Steps of the plans that read a whole table or sort. */
async function slowSteps(): Promise<string[]> {
  const explain = async (sql: string) =>
    (await real.all(`EXPLAIN QUERY PLAN ${sql}`))
      .map(({ detail }: Row) => String(detail))
      .filter((detail) => /^SCAN (?!waiting|page|json_each|\(|CONSTANT)|TEMP B-TREE/.test(detail))
      .map((detail) => `${detail}: ${sql.replace(/\s+/g, ' ')}`);
  return (await Promise.all(asked.map(explain))).flat();
}

const after = { createdAt: '2026-01-01T00:00:00.000Z', id: 'vis_1' };
const queries: [string, Partial<InspectionQuery>][] = [
  ['both kinds', {}],
  ['one kind', { kind: 'visual' }],
  ['a status', { kind: 'visual', status: 'failed' }],
  ['a status of both kinds', { status: 'failed' }],
  ['from a time on', { kind: 'visual', createdAfter: '2026-01-01' }],
  ['up to a time', { kind: 'visual', createdBefore: '2026-01-01' }],
  ['a vehicle', { vehicleId: 'v' }],
];
it.each(queries)('an index answers a page of %s, the first and by cursor', async (_name, more) => {
  const { inspections } = createStores(db);
  const query = { accountId: 'acc_1', environment: 'sandbox', limit: 10, offset: 0, ...more } as const;
  await inspections.list(query);
  await inspections.list({ ...query, after });
  expect(asked.length).toBeGreaterThan(2);
  // The join reads the page it has found, and puts its few rows in order again.
  expect(
    (await slowSteps()).filter((step) => !/ORDER BY: SELECT id, .* JOIN inspections/.test(step)),
  ).toEqual([]);
});

it.each([
  ['by age', { before: '2026-01-01' }],
  ['of a vehicle', { vehicleId: 'v' }],
  ['by id', { id: 'vis_1' }],
])('an index answers a removal %s, with events and keys', async (_name, filter) => {
  await db.run(
    `INSERT INTO inspections (id, account_id, environment, kind, vehicle_id, status, created_at, completed_at,
           attempts, document, meta, request) VALUES ('vis_1', 'acc_1', 'sandbox', 'visual', 'v', 'completed', '2025', '2025', 1, '{}', '{}', '{}')`,
  );
  await createStores(db).inspections.purge(filter, 100);
  expect(asked).toContainEqual(expect.stringContaining('DELETE FROM webhook_messages'));
  const slow = (await slowSteps()).filter((step) => !/TEMP B-TREE.*vehicle_id = \?/.test(step));
  expect(slow).toEqual([]);
});

it('an index answers what is due, what waits, and how it ended', async () => {
  const { webhooks } = createStores(db);
  await db.run(
    `INSERT INTO webhook_endpoints VALUES ('whe_1', 'acc_1', 'sandbox', 'u', '', '[]', 'enabled', NULL, 's', NULL, NULL, 't')`,
  );
  await db.run(
    `INSERT INTO webhook_messages (id, endpoint_id, event, payload, created_at, status, attempts, next_attempt_at_ms)
     VALUES ('msg_1', 'whe_1', 'e', '{}', 't', 'pending', 0, 0)`,
  );
  await webhooks.listDue('sandbox', 1, 5);
  await webhooks.getBacklog('sandbox');
  await webhooks.getMessage('msg_1');
  await webhooks.recordAttempt(
    { messageId: 'msg_1', at: 't', statusCode: 200, error: null, durationMs: 1 },
    { status: 'delivered', nextAttemptAtMs: 1 },
  );
  await webhooks.sweep('2026');
  expect(asked.length).toBeGreaterThan(6);
  // The first endpoint that waits: one entry of the index.
  expect(
    (await slowSteps()).filter((step) => !/COVERING INDEX webhook_messages_pending.*LIMIT 1\)/.test(step)),
  ).toEqual([]);
});
