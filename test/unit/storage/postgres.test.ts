import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { VehiError } from '../../../src/lib/errors.ts';
import { createDirectoryBlobs } from '../../../src/storage/directory-blobs.ts';
import { StorageUnavailableError, type Store } from '../../../src/storage/ports.ts';
import { openPostgres } from '../../../src/storage/postgres/database.ts';
import { examineDatabase } from '../../../src/storage/postgres/examine.ts';
import { MIGRATIONS } from '../../../src/storage/postgres/migrations.ts';
import { openPostgresStore } from '../../../src/storage/postgres/store.ts';
import { tx } from '../../../src/storage/sql/database.ts';
import {
  endpoint,
  inspection,
  listReplaced,
  message,
  OLD_KEYS,
} from '../../helpers/results/stored-records.ts';
import {
  clearDatabase,
  type PostgresServer,
  postgresMissing,
  startPostgres,
} from '../../helpers/services/postgres.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import { ref } from './store-inspections.ts';

const list = { accountId: 'acc_1', environment: 'sandbox', limit: 1, offset: 0 } as const;

describe.skipIf(postgresMissing)(`two processes on one PostgreSQL database`, () => {
  let server: PostgresServer;
  let url: string;
  let directory: string;
  let stores: Store[];
  const open = async () => {
    const store = await openPostgresStore({ url, connections: 4, objects: createDirectoryBlobs(directory) });
    stores.push(store);
    return store;
  };
  const ask = async (sql: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  let a: Store;
  let b: Store;

  beforeAll(async () => {
    server = startPostgres();
    url = server.createDatabase();
    directory = makeOwnFolder('postgres');
    stores = [];
    // Every one finds an empty database, and one of them makes the tables.
    await Promise.all(Array.from({ length: 4 }, open));
    await Promise.all(stores.map((store) => store.close()));
  }, 60_000);
  afterAll(() => server.stop());
  beforeEach(async () => {
    await clearDatabase(url);
    stores = [];
    [a, b] = await Promise.all([open(), open()]);
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
  });

  it('claim a key once, whoever comes first', async () => {
    const claims = Array.from({ length: 40 }, (_v, i) =>
      (i % 2 === 0 ? a : b).idempotency.claim({ ...ref, claim: String(i) }, 'f', i),
    );
    expect((await Promise.all(claims)).filter((held) => held === undefined)).toHaveLength(1);
  });

  it('count what they store, end and remove at the same time', async () => {
    const ids = Array.from({ length: 60 }, (_v, i) => `vis_${i}`);
    await Promise.all(ids.map((id, i) => (i % 2 === 0 ? a : b).inspections.create(inspection(id))));
    const finish = async (store: Store, id: string) => {
      const attempt = await store.inspections.startAttempt(id);
      return store.inspections.finish(id, attempt?.token ?? '', {
        status: 'completed',
        completedAt: '2026-01-01T00:00:09.000Z',
        document: {},
        meta: {},
        messages: [],
      });
    };
    const ended = ids.slice(0, 40).map((id, i) => finish(i % 2 === 0 ? a : b, id));
    const purged = ids.slice(50).map((id) => b.inspections.purge({ id }, 9));
    expect((await Promise.all(ended)).every(Boolean)).toBe(true);
    await Promise.all(purged);
    const totals = [{}, { status: 'completed' }, { createdAfter: '2026-01-01T00:00:00.000Z' }] as const;
    const counted = await Promise.all(
      totals.map(async (more) => (await a.inspections.list({ ...list, ...more })).total),
    );
    expect(counted).toEqual([50, 40, 50]);
  });

  it('grant no more requests than the limit', async () => {
    const { accountId, environment } = list;
    const take = (store: Store) => store.requestCounts.add({ accountId, environment, windowStartMs: 0 }, 50);
    const taken = await Promise.all(Array.from({ length: 120 }, (_v, i) => take(i % 2 === 0 ? a : b)));
    expect(taken.filter(({ granted }) => granted)).toHaveLength(50);
  });

  it('hold a lease one at a time, until it lapses or is given back', async () => {
    expect(await a.processes.acquireLease('sweep', 'a', 60_000)).toBe(true);
    expect(await b.processes.acquireLease('sweep', 'b', 60_000)).toBe(false);
    expect(await a.processes.acquireLease('sweep', 'a', 60_000)).toBe(true);
    await ask("UPDATE leases SET until = now() - interval '1 second'");
    expect(await b.processes.acquireLease('sweep', 'b', 60_000)).toBe(true);
    await b.processes.unregister('b');
    expect(await a.processes.acquireLease('sweep', 'a', 60_000)).toBe(true);
  });

  it('take one for dead that was not seen for half a minute, and for alive when it is back', async () => {
    const paused = { id: 'a', kind: 'serve', version: '1', host: 'h' } as const;
    await a.processes.register(paused);
    await b.processes.register({ ...paused, id: 'b', kind: 'work' });
    await ask("UPDATE processes SET seen_at = now() - interval '31 seconds' WHERE id = 'a'");
    expect((await b.processes.listLive()).map(({ id }) => id)).toEqual(['b']);
    await a.processes.heartbeat(paused);
    expect((await b.processes.listLive()).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('find files whose creation was cut off, and no others', async () => {
    for (const owner of ['vis_left', 'vis_kept', 'upl_kept']) {
      await a.blobs.put(owner, 'photo-0', Buffer.from('x'));
    }
    await a.inspections.create(inspection('vis_kept'));
    const { accountId, environment } = list;
    await a.uploads.create({ id: 'upl_kept', accountId, environment, sha256: '', createdAtMs: 0 });
    expect(await b.blobs.listOrphans?.(Date.now() - 60_000)).toEqual([]);
    await ask("UPDATE blob_owners SET created_at = now() - interval '2 minutes'");
    expect(await b.blobs.listOrphans?.(Date.now() - 60_000)).toEqual(['vis_left']);
    await b.blobs.remove('vis_left');
    expect(await b.blobs.listOrphans?.(Date.now())).toEqual([]);
  });

  it('list unfinished work, oldest first, without what is parked or ended', async () => {
    const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
    for (let i = 0; i < 5; i++) await a.inspections.create(inspection(`vis_${i}`, { createdAt: at(i) }));
    await a.inspections.create(inspection('vis_parked'), { parked: true });
    await a.inspections.create(inspection('vis_done', { status: 'completed', completedAt: at(1) }));
    const first = await b.inspections.listUnfinished('sandbox', { limit: 2, createdBefore: at(4) });
    expect(first.map(({ id }) => id)).toEqual(['vis_0', 'vis_1']);
    await a.inspections.startAttempt('vis_0');
    const [waiting] = await b.inspections.listUnfinished('sandbox', { limit: 1, isWaiting: true });
    expect(waiting?.id).toBe('vis_1');
    expect(await b.inspections.countUnfinished('acc_1', 'sandbox', 3)).toBe(3);
    expect(await b.inspections.filterNotProcessing(['vis_0', 'vis_done', 'vis_none'])).toEqual([
      'vis_done',
      'vis_none',
    ]);
  });

  it('go on after the server was restarted under them', async () => {
    await a.inspections.create(inspection('vis_1'));
    server.restart();
    await expect.poll(() => b.inspections.get('vis_1').catch(() => undefined)).toMatchObject({ id: 'vis_1' });
    await expect
      .poll(() => a.inspections.startAttempt('vis_1').catch(() => undefined))
      .toMatchObject({ number: 1 });
  }, 60_000);

  it.each([
    ['a lock that another session holds too long', 'SET LOCAL lock_timeout = 100', 'TABLE accounts'],
    ['a statement that takes too long', 'SET LOCAL statement_timeout = 100', 'SELECT pg_sleep(60)'],
  ])('take %s for unavailable storage', async (_name, limit, statement) => {
    const [holder, db] = [new pg.Client({ connectionString: url }), await openPostgres(url, 1)];
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE accounts');
    const work = db.transaction(function* () {
      yield* tx.run(limit);
      yield* tx.run(statement);
    });
    await expect(work).rejects.toBeInstanceOf(StorageUnavailableError);
    await Promise.all([holder.end(), db.close()]);
  });

  it('lock an inspection before its review and messages, and repeat what a deadlock aborted', async () => {
    await a.inspections.create(inspection('vis_0'));
    await a.webhooks.createEndpoint(endpoint);
    const review = { inspectionId: 'vis_0', revision: 1, reviewer: '', decisions: [], outcome: {} };
    await a.reviews.save({ ...review, savedAt: '2026-01-02T00:00:00.000Z' });
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    const untilLocked = () =>
      expect
        .poll(
          async () =>
            (await holder.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).rowCount,
        )
        .toBe(1);
    await holder.query('BEGIN; SELECT id FROM inspections FOR UPDATE');
    const finished = a.reviews.finish('vis_0', 1, '2026-01-02T00:00:00.000Z', [message('msg_1')]);
    await untilLocked();
    await holder.query('SELECT revision FROM reviews FOR UPDATE NOWAIT; COMMIT');
    expect(await finished).toBe(true);
    // The other one is aborted.
    await holder.query("SET deadlock_timeout = '1min'; BEGIN; SELECT id FROM webhook_messages FOR UPDATE");
    const deleted = b.webhooks.deleteEndpoint('whe_1');
    await untilLocked();
    await holder.query('SELECT id FROM webhook_endpoints FOR UPDATE; COMMIT');
    expect(await deleted).toBe(true);
    await holder.end();
  });

  it('refuse a database that a newer vehi has changed beyond what they know', async () => {
    await ask('UPDATE schema SET version = 99, least = 99');
    await expect(open()).rejects.toMatchObject({ code: 'DATABASE_TOO_NEW' });
    await expect(examineDatabase(url)).rejects.toMatchObject({ code: 'DATABASE_TOO_NEW' });
    await ask('UPDATE schema SET version = 99, least = 1');
    await open();
    await ask(`UPDATE schema SET version = ${MIGRATIONS.length}, least = 1`);
  });

  it('know of each key from before that it was replaced', async () => {
    const old = server.createDatabase();
    const client = new pg.Client({ connectionString: old });
    await client.connect();
    await client.query('CREATE TABLE schema (version integer NOT NULL, least integer NOT NULL)');
    for (const sql of [...MIGRATIONS.slice(0, 2), ...OLD_KEYS, 'INSERT INTO schema VALUES (2, 2)'])
      await client.query(sql);
    await client.end();
    const objects = createDirectoryBlobs(directory);
    const store = await openPostgresStore({ url: old, connections: 1, objects });
    expect(await listReplaced(store)).toEqual(['key_3']);
    await store.close();
  });

  it('are looked at without being changed, and named where they do not fit', async () => {
    const empty = server.createDatabase();
    const supportedVersion = MIGRATIONS.length;
    expect(await examineDatabase(empty)).toMatchObject({ version: undefined, supportedVersion });
    expect(await examineDatabase(empty)).toMatchObject({ version: undefined });
    expect(await examineDatabase(url)).toMatchObject({
      version: supportedVersion,
      server: expect.stringMatching(/^\d/),
    });
    await ask('ALTER TABLE uploads ALTER COLUMN id TYPE text COLLATE "POSIX"');
    await expect(examineDatabase(url)).rejects.toMatchObject({
      code: 'DATABASE_UNSUITABLE',
      message: expect.stringMatching(/uploads\.id is not ordered by collation "C"\.$/),
      hint: expect.stringMatching(/pg_dump/),
    });
    await ask('ALTER TABLE uploads ALTER COLUMN id TYPE text COLLATE "C"');
  });

  it('name a database that cannot be reached, without its password', async () => {
    const address = 'postgres://me:hidden@127.0.0.1:1/none';
    const objects = createDirectoryBlobs(directory);
    const opening = openPostgresStore({ url: address, connections: 1, objects });
    const error = await opening.catch((one: Error) => one);
    expect(error).toMatchObject({ code: 'DATABASE_UNREACHABLE' });
    expect((error as Error).message).toMatch(/127\.0\.0\.1:1\/none.*ECONNREFUSED/);
    expect((error as Error).message).not.toContain('hidden');
  });
});

it.each([
  'postgres://u%zz@127.0.0.1:1/db',
  'postgres://u:p%zz@127.0.0.1:1/db',
  'postgres://u@127.0.0.1:1/d%b',
])('an address with a malformed %% is an error of usage that shows no password: %s', async (url) => {
  const error = await openPostgres(url, 1).catch((one: VehiError) => one);
  expect(error).toMatchObject({ kind: 'usage', code: 'DATABASE_UNREACHABLE' });
  expect((error as VehiError).message).not.toContain('p%zz');
});
