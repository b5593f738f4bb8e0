// @module-tag slow: PostgreSQL is started
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDirectoryBlobs } from '../../../src/storage/directory-blobs.ts';
import { type ImportReport, importDirectory } from '../../../src/storage/import/import-directory.ts';
import { IMPORTED_TABLES } from '../../../src/storage/import/tables.ts';
import type { BlobStore, InspectionRecord, Store } from '../../../src/storage/ports.ts';
import { openMigratedDatabase, openPostgresStore } from '../../../src/storage/postgres/store.ts';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';
import { lockDirectory } from '../../../src/storage/sqlite/service-store.ts';
import { openDirectoryStore } from '../../../src/storage/sqlite/store.ts';
import { endpoint, inspection } from '../../helpers/results/stored-records.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../../helpers/services/postgres.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
const idOf = (number: number) => `vis_${String(number).padStart(26, '0')}`;
/** More than one batch. */
const COUNT = 230;
const LIST = { accountId: 'acc_1', environment: 'production', limit: 1000, offset: 0 } as const;
const ENDPOINT = {
  ...endpoint,
  environment: 'production',
  previousSecret: 'whsec_BBBB',
  previousSecretExpiresAtMs: 5,
} as const;

const record = (number: number, more: Partial<InspectionRecord> = {}): InspectionRecord =>
  inspection(idOf(number), {
    environment: 'production',
    vehicleId: `veh_${number % 7}`,
    createdAt: at(number),
    document: { number, text: 'ü "quoted" \u0000 \\' },
    meta: {},
    request: { images: [{}, {}] },
    ...more,
  });

/** A directory with something of everything that a service keeps. */
async function fill(directory: string): Promise<void> {
  const store = openDirectoryStore(directory);
  await store.getSecret('links');
  const account = { name: 'Müller', plan: 'starter', status: 'active', createdAt: at(0) } as const;
  await store.accounts.create({ ...account, id: 'acc_1', requestsPerHour: 7, concurrentRequests: null });
  await store.keys.create({
    ...{ id: 'key_1', accountId: 'acc_1', environment: 'production', sha256: 'hash', hint: '…', name: '' },
    ...{
      permissions: ['inspections:read'],
      createdAt: at(0),
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: at(1),
    },
  });
  await store.sessions.create({ sha256: 'session', keyId: 'key_1', createdAtMs: 1, usedAtMs: 2 });
  await store.webhooks.createEndpoint(ENDPOINT);
  await Promise.all(Array.from({ length: COUNT }, (_v, i) => store.inspections.create(record(i))));
  await store.inspections.create(
    record(900, { vehicleId: 'veh\0nul', request: { images: [], simulate: { outcome: 'processing' } } }),
    { parked: true },
  );
  for (let i = 0; i < 5; i++) {
    const attempt = await store.inspections.startAttempt(idOf(i));
    const message = {
      ...{ id: `msg_${i}`, endpointId: 'whe_1', resourceId: idOf(i), event: 'visual_inspection.completed' },
      ...{ payload: '{}', createdAt: at(i), nextAttemptAtMs: 10 + i, simulate: null },
    } as const;
    await store.inspections.finish(idOf(i), attempt?.token ?? '', {
      ...{ status: 'completed', completedAt: at(500 + i), document: { done: i }, meta: { m: i } },
      messages: [message],
    });
    await store.blobs.put(idOf(i), 'report.pdf', Buffer.from(`report ${i}`));
  }
  await store.webhooks.recordAttempt(
    { messageId: 'msg_0', at: at(600), statusCode: 500, error: 'no', durationMs: 3 },
    { status: 'pending', nextAttemptAtMs: 99 },
  );
  await store.blobs.put(idOf(COUNT - 1), 'photo-0', Buffer.from('photo'));
  await store.blobs.put(idOf(999), 'photo-0', Buffer.from('of no record'));
  const claim = { accountId: 'acc_1', environment: 'sandbox' as const, operation: 'visual', claim: 'c1' };
  await store.idempotency.claim({ ...claim, key: 'answered' }, 'print', 5, 0);
  await store.idempotency.saveResponse(
    { ...claim, key: 'answered' },
    { status: 201, headers: {}, body: '{}' },
  );
  await store.idempotency.claim({ ...claim, key: 'cut off' }, 'print', 5, 0);
  await store.uploads.create({
    ...{ id: 'upl_1', accountId: 'acc_1', environment: 'production', sha256: 'x', createdAtMs: 7 },
  });
  await store.blobs.put('upl_1', 'photo', Buffer.from('upload'));
  await store.close();
  mkdirSync(join(directory, 'files-set-aside', 'vis_old'), { recursive: true });
}

/** All that a store says of what it keeps. */
async function read(store: Store) {
  const listed = await store.inspections.list(LIST);
  return {
    secret: await store.getSecret('links'),
    account: await store.accounts.get('acc_1'),
    key: await store.keys.find('hash'),
    session: await store.sessions.get('session'),
    endpoint: await store.webhooks.getEndpoint('whe_1'),
    messages: await store.webhooks.listMessages('whe_1', 10, 0),
    attempts: await store.webhooks.listAttempts('msg_0'),
    listed: listed.records.map(({ vehicleId, ...one }) => ({
      ...one,
      vehicleId: vehicleId.replace('\0', '\uFFFD'),
    })),
    total: listed.total,
    completed: (await store.inspections.list({ ...LIST, status: 'completed' })).total,
    unfinished: (await store.inspections.listUnfinished('production')).length,
    upload: await store.uploads.get('upl_1'),
    leftovers: await store.inspections.listPendingCleanups(),
  };
}

it('every table of a data directory is moved, or left behind on purpose', () => {
  const db = openDatabase(':memory:');
  const names = db
    .all("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .map(({ name }) => String(name));
  const ofProcesses = ['processes', 'crashes', 'rates'];
  const apart = ['secrets', 'webhook_attempts', 'removals', ...ofProcesses];
  expect(names.sort()).toEqual([...IMPORTED_TABLES.map(({ name }) => name), ...apart].sort());
  db.close();
});

describe.skipIf(postgresMissing)('a data directory moved to PostgreSQL', () => {
  let server: PostgresServer;
  let directory: string;
  let url: string;
  let objects: BlobStore;
  const run = (to: BlobStore = objects, from = directory): Promise<ImportReport> =>
    importDirectory({ directory: from, url, objects: to, onProgress: () => undefined });
  const opened = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    const store = await openPostgresStore({ url, connections: 2, objects });
    return work(store).finally(() => store.close());
  };

  beforeAll(async () => {
    server = startPostgres();
    directory = mkdtempSync(join(tmpdir(), 'vehi-import-'));
    await fill(directory);
  }, 60_000);
  beforeEach(() => {
    url = server.createDatabase();
    objects = createDirectoryBlobs(mkdtempSync(join(tmpdir(), 'vehi-import-')));
  });
  afterAll(() => {
    server.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it('says the same as before, with its files, and names what stays behind', async () => {
    const report = await run();
    expect(report.tables.filter(({ found, added, present }) => found !== added || found !== present)).toEqual(
      [],
    );
    expect(report.tables.map(({ table, found }) => [table, found])).toMatchObject([
      ['secrets', 1],
      ['accounts', 1],
      ['api_keys', 1],
      ['sessions', 1],
      ['uploads', 1],
      ['inspections', COUNT + 1],
      ['leftovers', 5],
      ['reviews', 0],
      ['views', 0],
      ['idempotency', 1],
      ['webhook_endpoints', 1],
      ['webhook_messages', 5],
    ]);
    expect(report.files).toEqual({ found: 7, added: 7 });
    expect(report.left).toEqual([
      'counts of requests in this hour: they start again at zero',
      'files of 1 owners that the directory has no record of',
      'files of 1 owners in files-set-aside',
    ]);
    const before = openDirectoryStore(directory);
    const expected = await read(before);
    // A record parked by a simulation is found by its request.
    expected.unfinished -= 1;
    await before.close();
    expect(await opened(read)).toEqual(expected);
    expect(Buffer.from((await objects.get(idOf(3), 'report.pdf')) ?? []).toString()).toBe('report 3');
    const claim = {
      accountId: 'acc_1',
      environment: 'sandbox' as const,
      operation: 'visual',
      key: 'answered',
      claim: 'c2',
    };
    await opened(async (store) => {
      expect(await store.idempotency.claim(claim, 'print', 6, 0)).toMatchObject({ answer: { status: 201 } });
      expect(await store.idempotency.claim({ ...claim, key: 'cut off' }, 'print', 6, 0)).toBeUndefined();
    });
  });

  it('has a column for each of the directory, or leaves it behind on purpose', async () => {
    const { db: target } = await openMigratedDatabase(url, 1);
    const rows = await target.all('SELECT table_name, column_name FROM information_schema.columns');
    await target.close();
    const there = new Set(rows.map((row) => `${row.table_name}.${row.column_name}`));
    const db = openDatabase(':memory:');
    const forgotten = IMPORTED_TABLES.flatMap(({ name }) =>
      db.all(`SELECT name FROM pragma_table_info('${name}')`).map((column) => `${name}.${column.name}`),
    ).filter((column) => !there.has(column));
    db.close();
    expect(forgotten).toEqual(['leftovers.ended_at_ms', 'idempotency.until_ms']);
  });

  it('goes on where a run was cut off, and adds nothing twice', async () => {
    let puts = 0;
    const broken: BlobStore = {
      ...objects,
      put: (owner, name, bytes) => {
        if (++puts === 4) return Promise.reject(new Error('away'));
        return objects.put(owner, name, bytes);
      },
    };
    await expect(run(broken)).rejects.toThrow('away');
    // No record is there whose files are not.
    expect((await opened((store) => store.inspections.list(LIST))).total).toBe(0);
    const second = await run();
    expect(second.files.added).toBeLessThan(second.files.found);
    expect(second.tables.every(({ found, present }) => found === present)).toBe(true);
    const third = await run();
    expect([third.files.added, ...third.tables.map(({ added }) => added)].every((added) => added === 0)).toBe(
      true,
    );
    expect((await opened(read)).attempts).toHaveLength(1);
  });

  it('is not begun while a service runs on either side, nor without a directory', async () => {
    const unlock = lockDirectory(directory);
    await expect(run()).rejects.toMatchObject({ code: 'DATA_DIRECTORY_IN_USE' });
    unlock();
    await opened((store) =>
      store.processes.register({ id: 'p', kind: 'work', version: '1', host: 'shop-3' }),
    );
    await expect(run()).rejects.toMatchObject({
      code: 'DATABASE_IN_USE',
      message: expect.stringMatching(/shop-3/),
    });
    await expect(run(objects, tmpdir())).rejects.toMatchObject({ code: 'NO_DATA' });
  });

  it('joins another that is there, and says where ids are taken', async () => {
    const other = mkdtempSync(join(tmpdir(), 'vehi-import-'));
    const store = openDirectoryStore(other);
    const mine = await store.getSecret('links');
    await store.inspections.create(record(0, { createdAt: at(7_000) }));
    await store.inspections.create(record(5_000));
    await store.close();
    writeFileSync(join(other, 'note'), '');
    await run();
    const report = await run(objects, other);
    rmSync(other, { recursive: true, force: true });
    expect(report.tables.find(({ table }) => table === 'inspections')).toMatchObject({
      found: 2,
      added: 1,
      present: 1,
    });
    expect(report.left.join()).toMatch(/1 secrets: the database has its own/);
    expect(await opened((one) => one.getSecret('links'))).not.toBe(mine);
  });
});
