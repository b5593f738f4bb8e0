import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '../../../src/server/clock.ts';
import { openDirectoryStore } from '../../../src/storage/sqlite/store.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import { startReceiver } from '../helpers/listen.ts';
import { begin, codeOf, openService, startService, VISUAL, waitFor } from '../helpers/service.ts';

let directory: string;
const lines: Record<string, unknown>[] = [];
const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
const logger = pino({ level: 'info' }, { write });
/** Waits for a line of the log with these fields. */
const untilLogged = (fields: object) =>
  expect.poll(() => lines).toContainEqual(expect.objectContaining(fields));
const start = (...[settings, more]: Parameters<typeof openService>) =>
  openService(settings, { store: openDirectoryStore(directory), ...more });
const inFolder = (...names: readonly string[]) => join(directory, ...names);
const folders = (name = 'files') =>
  existsSync(inFolder(name)) ? readdirSync(inFolder(name)).filter((one) => !one.startsWith('.')) : [];

beforeEach(() => {
  directory = makeOwnFolder('keeping');
  lines.length = 0;
});

describe('files and their database', () => {
  it.each([
    ['gone', undefined],
    ['empty', ''],
  ])('a database that is %s does not start, and removes nothing', async (_name, content) => {
    const first = await start();
    await first.inspect();
    await first.close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(inFolder(`vehi.db${suffix}`), { force: true });
    if (content !== undefined) writeFileSync(inFolder('vehi.db'), content);
    const store = openDirectoryStore(directory);
    await expect(startService({}, { store })).rejects.toMatchObject({ code: 'DATABASE_LOST' });
    await store.close();
    expect(folders()).toHaveLength(1);
  });

  it('an older database sets aside what it does not know, and removes nothing', async () => {
    const first = await start();
    const kept = (await first.inspect()).body.data.inspection_id as string;
    await first.store.backup(inFolder('backup.db'));
    const lost = (await first.inspect()).body.data.inspection_id as string;
    await first.close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(inFolder(`vehi.db${suffix}`), { force: true });
    copyFileSync(inFolder('backup.db'), inFolder('vehi.db'));
    const second = await start({}, { parts: { logger } });
    await expect.poll(() => folders('files-set-aside')).toEqual([lost]);
    expect(folders()).toEqual([kept]);
    expect(readdirSync(inFolder('files-set-aside', lost))).toContain('report.pdf');
    expect((await second.call('GET', `${VISUAL}/${kept}`)).status).toBe(200);
    await untilLogged({ owners: 1, folder: 'files-set-aside' });
  });

  it('a database replaced under the service is noticed: not ready, and nothing is taken', async () => {
    const service = await start();
    renameSync(inFolder('vehi.db'), inFolder('away.db'));
    writeFileSync(inFolder('vehi.db'), '');
    expect((await service.app.inject('/readyz')).statusCode).toBe(503);
    expect((await service.inspect()).status).toBe(503);
    expect(folders()).toEqual([]);
  });

  it('what a crash left half written is gone after the start', async () => {
    mkdirSync(inFolder('files', '.incoming', 'vis_1'), { recursive: true });
    writeFileSync(inFolder('files', '.incoming', 'vis_1', 'photo-0'), 'x');
    await start();
    expect(existsSync(inFolder('files', '.incoming', 'vis_1'))).toBe(false);
  });

  it('photos of a result whose process died right after storing it are removed after the next start', async () => {
    const store = openDirectoryStore(directory);
    const remove = store.blobs.remove;
    const first = await start({}, { store });
    // As kill -9 does between the two: nothing is removed, and nothing says that it was.
    Object.assign(store.blobs, { remove: async () => {} });
    Object.assign(store.inspections, { markCleanedUp: async () => {} });
    const { inspection_id: id } = (await first.inspect()).body.data;
    const kept = await store.blobs.list(id);
    expect(kept).toEqual(expect.arrayContaining(['photo-0', 'report.pdf']));
    // Of an attempt that was overtaken.
    await store.blobs.put(id, 'report-try2.pdf', Buffer.from('late'));
    Object.assign(store.blobs, { remove });
    await first.close();
    const second = await start();
    const wanted = kept.filter((name) => !name.startsWith('photo-'));
    await expect.poll(() => second.store.blobs.list(id)).toEqual(wanted);
    await expect.poll(() => second.store.inspections.listPendingCleanups()).toEqual([]);
  });

  it("another program's database is refused before it is touched", () => {
    const file = inFolder('vehi.db');
    const db = new DatabaseSync(file);
    db.exec('CREATE TABLE notes (text TEXT)');
    db.close();
    expect(() => openDirectoryStore(directory)).toThrow(/belongs to another program/);
    const after = new DatabaseSync(file);
    expect(after.prepare('PRAGMA journal_mode').get()).toMatchObject({ journal_mode: 'delete' });
    after.close();
  });
});

describe('a write lock held by another process', () => {
  it('is 503 with Retry-After for writes; reads go on meanwhile', async () => {
    const service = await start();
    await service.inspect();
    const other = new DatabaseSync(inFolder('vehi.db'));
    other.exec('BEGIN IMMEDIATE');
    try {
      const write = service.inspect();
      const order: string[] = [];
      void write.then(() => order.push('write'));
      const read = service.call('GET', VISUAL).finally(() => order.push('read'));
      expect((await read).status).toBe(200);
      expect(order).toEqual(['read']);
      const refused = await write;
      expect([...codeOf(refused), refused.headers['retry-after']]).toEqual([
        ...[503, 'SERVICE_UNAVAILABLE', '1'],
      ]);
    } finally {
      other.exec('ROLLBACK');
      other.close();
    }
    expect((await service.inspect()).status).toBe(201);
    expect(folders()).toHaveLength(2);
  });

  it('puts housekeeping off with a word, which is no error', async () => {
    const other = new DatabaseSync(inFolder('vehi.db'));
    // The first look comes while the lock is held.
    await start({ housekeepingDelayMs: 500 }, { parts: { logger } });
    other.exec('BEGIN IMMEDIATE');
    await untilLogged({ level: 40, msg: 'housekeeping is tried again' });
    expect(lines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
    other.exec('ROLLBACK');
    other.close();
  });

  it('keeps the outcome of an analysis from the store for a while only', async () => {
    const service = await start({ jobRetryMs: 50 });
    const release = service.backend.fake.holdUp();
    const id = await begin(service);
    await expect.poll(() => service.backend.fake.seen.length).toBe(1);
    const other = new DatabaseSync(inFolder('vehi.db'));
    other.exec('BEGIN IMMEDIATE');
    release();
    await expect
      .poll(async () => (await service.app.inject('/metrics')).body)
      .toContain('outcome="unstored"');
    other.exec('ROLLBACK');
    other.close();
    await waitFor(service, id);
  });
});

describe('what an operator sees', () => {
  it('one line per analysis and per delivery, with ids and outcome', async () => {
    const receiver = await startReceiver();
    const service = await start({}, { parts: { logger } });
    await service.call('POST', '/v1/webhooks', { json: { url: receiver.url } });
    const { inspection_id: id } = (await service.inspect()).body.data;
    const account = service.account.id;
    await untilLogged({ msg: 'analysis', inspection: id, account, outcome: 'completed' });
    await untilLogged({ msg: 'delivery', resource: id, outcome: 'delivered', status: 200 });
    await receiver.close();
  });

  it('no fault where an inspection is removed while it is analyzed', async () => {
    const service = await start({}, { parts: { logger } });
    const release = service.backend.fake.holdUp();
    const inspection = await begin(service);
    await expect.poll(() => service.backend.fake.seen.length).toBe(1);
    expect((await service.call('DELETE', `${VISUAL}/${inspection}`)).status).toBe(204);
    release();
    await untilLogged({ msg: 'analysis', inspection, outcome: 'refused' });
    expect(lines.filter(({ level }) => Number(level) >= 40)).toEqual([]);
    expect(await service.store.blobs.list(inspection)).toEqual([]);
  });

  it('figures of process, database and backlog', async () => {
    const service = await start({ webhookRetrySeconds: [600] });
    await service.call('POST', '/v1/webhooks', { json: { url: 'http://127.0.0.1:9/x' } });
    await service.inspect();
    const read = async () => (await service.app.inject('/metrics')).body;
    await expect.poll(read).toContain('vehi_webhooks_pending 1');
    const text = await read();
    for (const name of ['process_resident_memory_bytes', 'vehi_database_up', 'vehi_queue_oldest_seconds'])
      expect(text).toContain(name);
    expect(text).toMatch(/vehi_webhooks_oldest_seconds [\d.]+/);
  });

  it('no figures at its own address outside the sandbox', async () => {
    const service = await start({ opensMetrics: false });
    expect((await service.app.inject('/metrics')).statusCode).toBe(404);
  });

  it('durations that a step of the clock does not make negative', async () => {
    const real = createClock();
    let stepMs = 0;
    const now = () => new Date(Date.now() + stepMs);
    const clock = { ...real, now, wallMs: () => now().getTime() };
    const service = await start({}, { parts: { clock } });
    const release = service.backend.fake.holdUp();
    const answer = service.inspect();
    await expect.poll(() => service.backend.fake.seen.length).toBe(1);
    stepMs = -7_200_000;
    release();
    const { data } = (await answer).body;
    expect(data.processing_time).toBeGreaterThanOrEqual(0);
    expect(data.completed_at >= data.created_at).toBe(true);
  });
});
