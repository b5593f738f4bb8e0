// @module-tag slow: two databases are filled
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClaimLostError, type Store } from '../../../src/storage/ports.ts';
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
import { useEmptyPostgres } from '../../helpers/services/empty-store.ts';
import { postgresMissing } from '../../helpers/services/postgres.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import { ref, testInspections } from './store-inspections.ts';
import { testReviews } from './store-reviews.ts';

let directory: string;
beforeEach(() => {
  directory = makeOwnFolder('store');
});

describe.each([
  ['directory', async () => openDirectoryStore(directory), undefined],
  ['temporary', async () => openTemporaryStore(), undefined],
  ['postgres', useEmptyPostgres(), postgresMissing],
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
    const { accounts } = store;
    const change = { plan: 'free', status: 'suspended', requestsPerHour: 7 } as const;
    await accounts.create(account('acc_1'));
    expect(await accounts.update('acc_1', change)).toBe(true);
    expect(await accounts.update('acc_2', change)).toBe(false);
    expect(await accounts.get('acc_1')).toEqual({ ...account('acc_1'), ...change });
    expect(await accounts.list()).toHaveLength(1);
  });

  it('finds a key by its hash with its account, revokes and replaces once, keeps the last use', async () => {
    const { accounts, keys } = store;
    const [day2, day3, day4] = ['2026-01-02', '2026-01-03', '2026-01-04'] as const;
    await accounts.create(account('acc_1'));
    const first = key('key_1', 'acc_1');
    await keys.create(first);
    expect(await keys.find('hash of key_1')).toEqual({ key: first, account: account('acc_1') });
    expect(await keys.find('other')).toBeUndefined();
    await keys.touch('key_1', day2);
    expect([await keys.revoke('key_1', day3), await keys.revoke('key_1', day4)]).toEqual([true, false]);
    expect(await keys.list('acc_2')).toEqual([]);
    const change = { replacedAt: day3, expiresAt: day4 };
    const successors = [key('key_2', 'acc_1'), key('key_3', 'acc_1')] as const;
    expect(await keys.replace('key_1', change, successors[0])).toBe(true);
    expect(await keys.replace('key_1', change, successors[1])).toBe(false);
    const replaced = { ...first, lastUsedAt: day2, revokedAt: day3, ...change };
    expect(await keys.list('acc_1')).toEqual([replaced, successors[0]]);
  });

  testInspections(() => store);
  testReviews(() => store);

  it('holds an idempotency key for the first claim, with its resource and answer', async () => {
    const claim = (fingerprint: string, atMs: number, expiredMs?: number, key = 'k') =>
      store.idempotency.claim({ ...ref, key }, fingerprint, atMs, expiredMs);
    expect(await claim('f', 1)).toBeUndefined();
    expect(await claim('g', 2)).toEqual({ fingerprint: 'f', resourceId: null, answer: null });
    await store.inspections.create(inspection('vis_1'), { idempotency: ref });
    const answer = { status: 201, headers: { location: '/x' }, body: '{}' };
    await store.idempotency.saveAnswer(ref, answer);
    expect(await claim('f', 3)).toEqual({ fingerprint: 'f', resourceId: 'vis_1', answer });
    expect(await claim('g', 9, 0)).toMatchObject({ fingerprint: 'f' });
    expect([await claim('f', 1, -1, 'old'), await claim('g', 9, 1, 'old')]).toEqual([undefined, undefined]);
    await store.idempotency.sweep(2);
    expect(await claim('f', 7)).toBeUndefined();
  });

  it('holds a key while its claim is renewed, and lets another request have it then', async () => {
    const { idempotency, inspections } = store;
    expect(await idempotency.claim(ref, 'f', 1)).toBeUndefined();
    const second = { ...ref, claim: 'c2' };
    await idempotency.renew(['c1']);
    expect(await idempotency.claim(second, 'f', 2)).toMatchObject({ fingerprint: 'f' });
    await idempotency.renew(['c1'], -1);
    expect(await idempotency.claim(second, 'g', 3)).toBeUndefined();
    // The first was only slow: what it would make now has no key any more, and it gives up nobody's claim.
    const late = inspections.create(inspection('vis_1'), { idempotency: ref });
    await expect(late).rejects.toThrow(ClaimLostError);
    expect(await inspections.get('vis_1')).toBeUndefined();
    const end = async (claim: string) => {
      await idempotency.renew([claim], -1);
      await idempotency.release([claim]);
    };
    await end('c1');
    expect(await idempotency.claim(second, 'g', 4)).toMatchObject({ fingerprint: 'g' });
    await inspections.create(inspection('vis_2'), { idempotency: second });
    const answered = { ...second, key: 'answered' };
    await idempotency.claim(answered, 'h', 4);
    await idempotency.saveAnswer(answered, { status: 422, headers: {}, body: '{}' });
    await end('c2');
    expect(await idempotency.claim(ref, 'g', 5)).toMatchObject({ resourceId: 'vis_2' });
    expect(await idempotency.claim(answered, 'g', 5)).toMatchObject({ fingerprint: 'h' });
  });

  it('counts requests per window up to the limit, and forgets old windows', async () => {
    const window = { accountId: 'acc_1', environment: 'sandbox' as const, windowStartMs: 100 };
    const add = async (limit: number | null, windowStartMs = 100) => {
      const { total, granted } = await store.requestCounts.add({ ...window, windowStartMs }, limit);
      return `${total} ${granted}`;
    };
    for (const [limit, said] of [
      [0, '0 false'],
      [2, '1 true'],
      [2, '2 true'],
      [2, '2 false'],
      [1, '2 false'],
      [null, '3 true'],
    ] as const)
      expect(await add(limit)).toBe(said);
    expect(await add(1, 200)).toBe('1 true');
    await store.requestCounts.sweep(200);
    const get = (more: object) => store.requestCounts.get({ ...window, windowStartMs: 200, ...more });
    expect(await get({ windowStartMs: 100 })).toBe(0);
    expect(await get({})).toBe(1);
    expect(await get({ environment: 'production' })).toBe(0);
  });

  /** Records an attempt at a message. */
  const attempt = (
    messageId: string,
    status: 'delivered' | 'failed' | 'pending',
    nextAttemptAtMs = 0,
    more = {},
  ) =>
    store.webhooks.recordAttempt(
      { messageId, at: 't', statusCode: null, error: null, durationMs: 1, ...more },
      { status, nextAttemptAtMs },
    );

  it('removes old messages that are delivered or given up from the log, with their attempts', async () => {
    await store.webhooks.createEndpoint(endpoint);
    const young = { ...message('msg_d'), createdAt: '2026-03-01T00:00:00.000Z' };
    await storeMessages(store, [message('msg_a'), message('msg_b'), message('msg_c'), young]);
    await attempt('msg_a', 'delivered');
    await attempt('msg_b', 'failed');
    await attempt('msg_d', 'delivered');
    await store.webhooks.sweep('2026-02-01T00:00:00.000Z');
    const { messages } = await store.webhooks.listMessages('whe_1', 10, 0);
    expect(messages.map(({ id }) => id)).toEqual(['msg_d', 'msg_c']);
    expect(await store.webhooks.listAttempts('msg_a')).toEqual([]);
  });

  it('hands out due messages, logs attempts, replays, skips disabled endpoints', async () => {
    const { webhooks } = store;
    const due = async (atMs: number, environment = 'sandbox') =>
      (await webhooks.listDue(environment, atMs, 5)).map(({ id }) => id.slice(4)).join('');
    await webhooks.createEndpoint(endpoint);
    await storeMessages(store, [message('msg_b', 20), message('msg_a', 10), message('msg_c', 90)]);
    expect([await due(20), await due(20, 'production')]).toEqual(['ab', '']);
    await attempt('msg_a', 'pending', 50, { statusCode: 500, durationMs: 3.4 });
    expect(await webhooks.getMessage('msg_a')).toMatchObject({ attempts: 1, nextAttemptAtMs: 50 });
    expect(await webhooks.listAttempts('msg_a')).toEqual([
      { messageId: 'msg_a', at: 't', statusCode: 500, error: null, durationMs: 3 },
    ]);
    await attempt('msg_b', 'delivered');
    await attempt('msg_b', 'pending');
    expect(await webhooks.getMessage('msg_b')).toMatchObject({ status: 'delivered', attempts: 2 });
    expect(await due(60)).toBe('a');
    await webhooks.replay('msg_b', 60);
    expect(await webhooks.getMessage('msg_b')).toMatchObject({ status: 'pending', attempts: 0 });
    expect(await due(60)).toBe('ab');
    await attempt('msg_removed', 'delivered');
    expect([await webhooks.bringForward(89, 60), await due(60)]).toEqual([1, 'abc']);
    await webhooks.updateEndpoint('whe_1', { status: 'disabled', disabledReason: 'gone' });
    expect(await due(60)).toBe('');
    expect(await webhooks.deleteEndpoint('whe_1')).toBe(true);
    expect(await webhooks.getMessage('msg_a')).toBeUndefined();
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
    ['a header alone', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4000, 7)])],
  ])('refuses %s with a way out', (_name, bytes) => {
    writeFileSync(join(directory, 'vehi.db'), bytes);
    expect(() => openDirectoryStore(directory)).toThrow(
      expect.objectContaining({ code: 'DATABASE_UNREADABLE' }),
    );
  });
});
