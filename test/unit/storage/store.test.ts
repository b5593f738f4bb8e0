// @module-tag slow: two databases are filled
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDirectoryBlobs } from '../../../src/storage/directory-blobs.ts';
import { ClaimLostError, type Store } from '../../../src/storage/ports.ts';
import { openPostgresStore } from '../../../src/storage/postgres/store.ts';
import { MIGRATIONS } from '../../../src/storage/sqlite/migrations.ts';
import { openDirectoryStore, openTemporaryStore } from '../../../src/storage/sqlite/store.ts';
import {
  account,
  endpoint,
  inspection,
  key,
  listReplaced,
  message,
  OLD_KEYS,
  storeMessages,
} from '../../helpers/results/stored-records.ts';
import {
  clearDatabase,
  type PostgresServer,
  postgresMissing,
  startPostgres,
} from '../../helpers/services/postgres.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import { ref, testInspections } from './store-inspections.ts';
import { testReviews } from './store-reviews.ts';

let directory: string;
beforeEach(() => {
  directory = makeOwnFolder('store');
});

let postgres: PostgresServer | undefined;
let address = '';
beforeAll(() => {
  if (postgresMissing) return;
  postgres = startPostgres();
  address = postgres.createDatabase();
}, 60_000);
afterAll(() => postgres?.stop());

async function openEmptyPostgres(): Promise<Store> {
  const objects = createDirectoryBlobs(directory);
  const store = await openPostgresStore({ url: address, connections: 4, objects });
  await clearDatabase(address);
  return store;
}

describe.each([
  ['directory', async () => openDirectoryStore(directory), undefined],
  ['temporary', async () => openTemporaryStore(), undefined],
  ['postgres', openEmptyPostgres, postgresMissing],
] as const)('store: %s', (name, open, missing) => {
  let store: Store;
  beforeEach(async (context) => {
    if (missing) return context.skip(missing);
    store = await open();
  });
  afterEach(async () => {
    if (!missing) await store.close();
  });
  it('keeps accounts and their changes', async () => {
    await store.accounts.create(account('acc_1'));
    expect(
      await store.accounts.update('acc_1', { plan: 'free', status: 'suspended', requestsPerHour: 7 }),
    ).toBe(true);
    expect(await store.accounts.update('acc_2', { plan: 'free' })).toBe(false);
    expect(await store.accounts.get('acc_1')).toEqual({
      ...account('acc_1'),
      plan: 'free',
      status: 'suspended',
      requestsPerHour: 7,
    });
    expect(await store.accounts.list()).toHaveLength(1);
  });

  it('finds a key by its hash with its account, revokes once, keeps the last use', async () => {
    await store.accounts.create(account('acc_1'));
    await store.keys.create(key('key_1', 'acc_1'));
    expect(await store.keys.find('hash of key_1')).toEqual({
      key: key('key_1', 'acc_1'),
      account: account('acc_1'),
    });
    expect(await store.keys.find('other')).toBeUndefined();
    await store.keys.touch('key_1', '2026-01-02T00:00:00.000Z');
    expect(await store.keys.revoke('key_1', '2026-01-03T00:00:00.000Z')).toBe(true);
    expect(await store.keys.revoke('key_1', '2026-01-04T00:00:00.000Z')).toBe(false);
    expect(await store.keys.get('key_1')).toMatchObject({
      lastUsedAt: '2026-01-02T00:00:00.000Z',
      revokedAt: '2026-01-03T00:00:00.000Z',
    });
    expect(await store.keys.list('acc_2')).toEqual([]);
    const change = { replacedAt: '2026-01-05T00:00:00.000Z', expiresAt: '2026-01-06T00:00:00.000Z' };
    const successors = [key('key_2', 'acc_1'), key('key_3', 'acc_1')] as const;
    expect(await store.keys.replace('key_1', change, successors[0])).toBe(true);
    expect(await store.keys.replace('key_1', change, successors[1])).toBe(false);
    const [old, ...others] = await store.keys.list('acc_1');
    expect([old, others]).toEqual([expect.objectContaining(change), [successors[0]]]);
  });

  testInspections(() => store);
  testReviews(() => store);

  it('holds an idempotency key for the first claim, with its resource and answer', async () => {
    expect(await store.idempotency.claim(ref, 'f', 1)).toBeUndefined();
    expect(await store.idempotency.claim(ref, 'g', 2)).toMatchObject({
      fingerprint: 'f',
      resourceId: null,
      answer: null,
    });
    await store.inspections.create(inspection('vis_1'), { idempotency: ref });
    await store.idempotency.saveAnswer(ref, { status: 201, headers: { location: '/x' }, body: '{}' });
    expect(await store.idempotency.claim(ref, 'f', 3)).toEqual({
      fingerprint: 'f',
      resourceId: 'vis_1',
      answer: { status: 201, headers: { location: '/x' }, body: '{}' },
    });
    expect(await store.idempotency.claim(ref, 'g', 9, 0)).toMatchObject({ fingerprint: 'f' });
    expect(await store.idempotency.claim({ ...ref, key: 'old' }, 'f', 1)).toBeUndefined();
    expect(await store.idempotency.claim({ ...ref, key: 'old' }, 'g', 9, 1)).toBeUndefined();
    await store.idempotency.sweep(2);
    expect(await store.idempotency.claim(ref, 'f', 7)).toBeUndefined();
  });

  it('holds a key while its claim is renewed, and lets another request have it then', async () => {
    expect(await store.idempotency.claim(ref, 'f', 1)).toBeUndefined();
    const second = { ...ref, claim: 'c2' };
    await store.idempotency.renew(['c1']);
    expect(await store.idempotency.claim(second, 'f', 2)).toMatchObject({ fingerprint: 'f' });
    await store.idempotency.renew(['c1'], -1);
    expect(await store.idempotency.claim(second, 'g', 3)).toBeUndefined();
    // The first was only slow: what it would make now has no key any more, and it gives up nobody's claim.
    await expect(store.inspections.create(inspection('vis_1'), { idempotency: ref })).rejects.toThrow(
      ClaimLostError,
    );
    expect(await store.inspections.get('vis_1')).toBeUndefined();
    await store.idempotency.renew(['c1'], -1);
    await store.idempotency.release(['c1']);
    expect(await store.idempotency.claim(second, 'g', 4)).toMatchObject({ fingerprint: 'g' });
    await store.inspections.create(inspection('vis_2'), { idempotency: second });
    const answered = { ...second, key: 'answered' };
    await store.idempotency.claim(answered, 'h', 4);
    await store.idempotency.saveAnswer(answered, { status: 422, headers: {}, body: '{}' });
    await store.idempotency.renew(['c2'], -1);
    await store.idempotency.release(['c2']);
    expect(await store.idempotency.claim(ref, 'g', 5)).toMatchObject({ resourceId: 'vis_2' });
    expect(await store.idempotency.claim(answered, 'g', 5)).toMatchObject({ fingerprint: 'h' });
  });

  it('counts requests per window up to the limit, and forgets old windows', async () => {
    const account = { accountId: 'acc_1', environment: 'sandbox' as const };
    const add = (limit: number | null, windowStartMs = 100) =>
      store.requestCounts.add({ ...account, windowStartMs }, limit);
    expect(await add(0)).toEqual({ total: 0, granted: false });
    expect(await add(2)).toEqual({ total: 1, granted: true });
    expect(await add(2)).toEqual({ total: 2, granted: true });
    expect(await add(2)).toEqual({ total: 2, granted: false });
    expect(await add(1)).toEqual({ total: 2, granted: false });
    expect(await add(null)).toEqual({ total: 3, granted: true });
    expect(await add(1, 200)).toEqual({ total: 1, granted: true });
    await store.requestCounts.sweep(200);
    expect(await store.requestCounts.get({ ...account, windowStartMs: 100 })).toBe(0);
    expect(await store.requestCounts.get({ ...account, windowStartMs: 200 })).toBe(1);
    expect(await store.requestCounts.get({ ...account, environment: 'production', windowStartMs: 200 })).toBe(
      0,
    );
  });

  it('removes old messages that are delivered or given up from the log, with their attempts', async () => {
    await store.webhooks.createEndpoint(endpoint);
    const old = (id: string) => ({ ...message(id), createdAt: '2026-01-01T00:00:00.000Z' });
    const young = { ...message('msg_d'), createdAt: '2026-03-01T00:00:00.000Z' };
    await storeMessages(store, [old('msg_a'), old('msg_b'), old('msg_c'), young]);
    for (const [messageId, status] of [
      ['msg_a', 'delivered'],
      ['msg_b', 'failed'],
      ['msg_d', 'delivered'],
    ] as const)
      await store.webhooks.recordAttempt(
        { messageId, at: 't', statusCode: null, error: null, durationMs: 1 },
        { status, nextAttemptAtMs: 1 },
      );
    await store.webhooks.sweep('2026-02-01T00:00:00.000Z');
    const { messages } = await store.webhooks.listMessages('whe_1', 10, 0);
    expect(messages.map(({ id }) => id)).toEqual(['msg_d', 'msg_c']);
    expect(await store.webhooks.listAttempts('msg_a')).toEqual([]);
  });

  it('hands out due messages, logs attempts, replays, skips disabled endpoints', async () => {
    await store.webhooks.createEndpoint(endpoint);
    await storeMessages(store, [message('msg_b', 20), message('msg_a', 10), message('msg_c', 90)]);
    expect(await store.webhooks.listDue('sandbox', 20, 5)).toMatchObject([{ id: 'msg_a' }, { id: 'msg_b' }]);
    expect(await store.webhooks.listDue('production', 20, 5)).toEqual([]);
    await store.webhooks.recordAttempt(
      { messageId: 'msg_a', at: 'x', statusCode: 500, error: null, durationMs: 3.4 },
      { status: 'pending', nextAttemptAtMs: 50 },
    );
    expect(await store.webhooks.getMessage('msg_a')).toMatchObject({ attempts: 1, nextAttemptAtMs: 50 });
    expect(await store.webhooks.listAttempts('msg_a')).toEqual([
      { messageId: 'msg_a', at: 'x', statusCode: 500, error: null, durationMs: 3 },
    ]);
    await store.webhooks.recordAttempt(
      { messageId: 'msg_b', at: 'x', statusCode: 200, error: null, durationMs: 1 },
      { status: 'delivered', nextAttemptAtMs: 0 },
    );
    await store.webhooks.recordAttempt(
      { messageId: 'msg_b', at: 'y', statusCode: 500, error: null, durationMs: 1 },
      { status: 'pending', nextAttemptAtMs: 0 },
    );
    expect(await store.webhooks.getMessage('msg_b')).toMatchObject({ status: 'delivered', attempts: 2 });
    expect((await store.webhooks.listDue('sandbox', 60, 5)).map((m) => m.id)).toEqual(['msg_a']);
    await store.webhooks.replay('msg_b', 60);
    expect(await store.webhooks.getMessage('msg_b')).toMatchObject({ status: 'pending', attempts: 0 });
    expect((await store.webhooks.listDue('sandbox', 60, 5)).map((m) => m.id)).toEqual(['msg_a', 'msg_b']);
    const removed = { messageId: 'msg_gone', at: 't', statusCode: 200, error: null, durationMs: 1 };
    await store.webhooks.recordAttempt(removed, { status: 'delivered', nextAttemptAtMs: 1 });
    expect(await store.webhooks.bringForward(89, 60)).toBe(1);
    expect((await store.webhooks.listDue('sandbox', 60, 5)).map((m) => m.id)).toEqual([
      'msg_a',
      'msg_b',
      'msg_c',
    ]);
    await store.webhooks.updateEndpoint('whe_1', { status: 'disabled', disabledReason: 'gone' });
    expect(await store.webhooks.listDue('sandbox', 60, 5)).toEqual([]);
    expect(await store.webhooks.deleteEndpoint('whe_1')).toBe(true);
    expect(await store.webhooks.getMessage('msg_a')).toBeUndefined();
  });

  it('finds what is due of each endpoint behind any backlog of another, and reports how much waits', async () => {
    await store.webhooks.createEndpoint(endpoint);
    await store.webhooks.createEndpoint({ ...endpoint, id: 'whe_2', accountId: 'acc_2' });
    const many = Array.from({ length: 300 }, (_v, i) => message(`msg_${String(i).padStart(3, '0')}`, 10));
    await storeMessages(store, [...many, { ...message('msg_last', 20), endpointId: 'whe_2' }]);
    const messages = await store.webhooks.listDue('sandbox', 30, 2);
    expect(messages.map(({ id }) => id)).toEqual(['msg_000', 'msg_001', 'msg_last']);
    expect(await store.webhooks.getBacklog('sandbox')).toEqual({
      pending: 301,
      oldestAt: '2026-01-01T00:00:00.000Z',
    });
  });

  it('makes a secret once', async () => {
    const secret = await store.ensureSecret('links');
    expect(secret.length).toBeGreaterThan(40);
    expect(await store.ensureSecret('links')).toBe(secret);
    expect(await store.ensureSecret('other')).not.toBe(secret);
  });

  it('backs up into a new file that opens as a database', async () => {
    await store.accounts.create(account('acc_1'));
    if (name === 'postgres') return expect(store.backup('copy')).rejects.toThrow(/not backed up by vehi/);
    const copy = join(directory, 'copy.db');
    await store.backup(copy);
    const db = new DatabaseSync(copy);
    expect(db.prepare('SELECT count(*) AS n FROM accounts').get()).toMatchObject({ n: 1 });
    db.close();
    expect(statSync(copy).mode & 0o077).toBe(0);
    await expect(store.backup(copy)).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    await expect(store.backup(join(directory, 'none', 'copy.db'))).rejects.toMatchObject({
      code: 'FILE_UNWRITABLE',
    });
  });
});

describe('data directory', () => {
  it('survives a restart', async () => {
    const first = openDirectoryStore(directory);
    await first.accounts.create(account('acc_1'));
    const secret = await first.ensureSecret('links');
    await first.close();
    const second = openDirectoryStore(directory);
    expect(await second.accounts.get('acc_1')).toBeDefined();
    expect(await second.ensureSecret('links')).toBe(secret);
    await second.close();
    for (const name of ['files', 'vehi.db'])
      expect([name, statSync(join(directory, name)).mode & 0o077]).toEqual([name, 0]);
  });

  it('knows of each key from before that it was replaced', async () => {
    const old = new DatabaseSync(join(directory, 'vehi.db'));
    for (const migration of MIGRATIONS.slice(0, 2)) old.exec(migration);
    for (const statement of OLD_KEYS) old.exec(statement);
    old.exec('PRAGMA user_version = 2');
    old.close();
    const store = openDirectoryStore(directory);
    expect(await listReplaced(store)).toEqual(['key_3']);
    await store.close();
  });

  it('keeps nothing of a purged result in its files', async () => {
    const store = openDirectoryStore(directory);
    const document = { plate: 'B-XY 123', remarks: 'x'.repeat(20_000) };
    for (const id of ['vis_1', 'vis_2', 'vis_3'])
      await store.inspections.create(inspection(id, { document }));
    await store.inspections.purge({ accountId: 'acc_1' }, 9);
    await store.close();
    const files = readdirSync(directory).filter((name) => name.startsWith('vehi.db'));
    expect(files.filter((name) => readFileSync(join(directory, name)).includes('B-XY 123'))).toEqual([]);
  });

  it.each([
    ['not a database', Buffer.from('hello'.repeat(1000))],
    [
      'a header and nothing behind it',
      Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4000, 7)]),
    ],
  ])('refuses %s with a way out', (_name, bytes) => {
    writeFileSync(join(directory, 'vehi.db'), bytes);
    expect(() => openDirectoryStore(directory)).toThrow(
      expect.objectContaining({ code: 'DATABASE_UNREADABLE' }),
    );
  });
});
