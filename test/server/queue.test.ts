import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { VehiError } from '../../src/lib/errors.ts';
import type { Engines } from '../../src/server/engines.ts';
import { openDirectoryStore } from '../../src/storage/sqlite/store.ts';
import { photoHost, startService, type TestService, visualRequest } from './helpers/service.ts';
import { startStandInChild } from './helpers/stand-in.ts';

const VISUAL = '/v1/inspections/visual';
let host: Awaited<ReturnType<typeof photoHost>>;
let directory: string;
let services: TestService[];
const good = (count = 4) => Array.from({ length: count }, (_v, i) => `${host.url}/1920x1080-${i}.jpg`);
const start = async (...args: Parameters<typeof startService>) => {
  const service = await startService(...args);
  services.push(service);
  return service;
};
const releases: (() => void)[] = [];
const hold = (service: TestService) => {
  releases.push(() => release());
  let release = () => {};
  service.programs.fake.hold = new Promise((done) => {
    release = () => {
      service.programs.fake.hold = undefined;
      done();
    };
  });
  return () => release();
};

beforeAll(async () => {
  host = await photoHost();
});
afterAll(() => host.close());
beforeEach(() => {
  services = [];
  directory = mkdtempSync(join(tmpdir(), 'vehi-queue-'));
});
afterEach(async () => {
  for (const release of releases.splice(0)) release();
  for (const service of services) await service.app.close();
  rmSync(directory, { recursive: true, force: true });
});

describe('queue', () => {
  it('past its bound answers 503 with Retry-After and stores nothing', async () => {
    const service = await start({ queueLimit: 2 });
    const release = hold(service);
    const headers = { prefer: 'respond-async' };
    for (let i = 0; i < 2; i++)
      expect((await service.call('POST', VISUAL, { json: visualRequest(good()), headers })).status).toBe(202);
    const full = await service.call('POST', VISUAL, { json: visualRequest(good()), headers });
    expect([full.status, full.body.error.code, full.body.error.type]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      'server_error',
    ]);
    expect(Number(full.headers['retry-after'])).toBeGreaterThan(0);
    expect((await service.call('GET', VISUAL)).body.data.pagination.total).toBe(2);
    expect(await service.store.blobs.owners()).toHaveLength(2);
    // Results are still read: a balancer must not take the service out for that.
    const ready = await service.app.inject('/readyz');
    expect([ready.statusCode, ready.json()]).toMatchObject([200, { queue: false }]);
    release();
    await expect
      .poll(async () => (await service.call('GET', `${VISUAL}?status=completed`)).body.data.pagination.total)
      .toBe(2);
    expect((await service.call('POST', VISUAL, { json: visualRequest(good()) })).status).toBe(201);
    expect((await service.app.inject('/readyz')).statusCode).toBe(200);
  });

  it('that an account may not fill further answers 429 with what it may have', async () => {
    const service = await start();
    const { work } = { work: { reserve: async () => ({ full: 'account', limit: 125, retrySeconds: 7 }) } };
    const stub = new Proxy(
      {},
      { get: (_target, name) => (name === 'reserve' ? work.reserve : async () => {}) },
    );
    const engines = {
      createQueue: () => stub,
      createDispatcher: () => stub,
      degraded: () => false,
    } as unknown as Engines;
    const shared = await start({}, { parts: { engines }, store: service.store });
    const refused = await shared.call('POST', VISUAL, { json: visualRequest(good()) });
    expect([refused.status, refused.body.error]).toMatchObject([
      429,
      { code: 'CONCURRENCY_LIMIT_EXCEEDED', details: { reason: 'waiting', limit: 125 } },
    ]);
    expect(refused.headers['retry-after']).toBe('7');
  });

  it('a refused request gives its place back', async () => {
    const service = await start({ queueLimit: 1 });
    for (let i = 0; i < 3; i++) {
      expect(
        (await service.call('POST', VISUAL, { json: visualRequest([...good(3), `${host.url}/missing`]) }))
          .status,
      ).toBe(422);
    }
    expect((await service.call('POST', VISUAL, { json: visualRequest(good()) })).status).toBe(201);
  });

  it('more photos, or more time, than the inline limit answer 202', async () => {
    const service = await start({ inlineImages: 5, inlineMs: 50 });
    expect((await service.call('POST', VISUAL, { json: visualRequest(good(6)) })).status).toBe(202);
    await expect
      .poll(async () => (await service.call('GET', `${VISUAL}?status=completed`)).body.data.pagination.total)
      .toBe(1);
    const release = hold(service);
    expect((await service.call('POST', VISUAL, { json: visualRequest(good()) })).status).toBe(202);
    release();
  });

  it('50 inspections at once are all completed, each once', async () => {
    const service = await start({ workers: 3 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_v, i) =>
        service.call('POST', VISUAL, { json: visualRequest(good(), { vehicle_id: `veh_${i}` }) }),
      ),
    );
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    expect(new Set(answers.map(({ body }) => body.data.inspection_id)).size).toBe(50);
    expect(service.programs.fake.seen).toHaveLength(50);
  });

  it('keeps photos only where the settings say so', async () => {
    for (const keepPhotos of [false, true]) {
      const service = await start({ keepPhotos });
      const { body } = await service.call('POST', VISUAL, { json: visualRequest(good()) });
      const names = await service.store.blobs.list(body.data.inspection_id);
      expect(names.filter((name) => name.startsWith('photo-'))).toHaveLength(keepPhotos ? 4 : 0);
    }
  });

  it('a failure of the engine ends as failed, and says no more than it should', async () => {
    const service = await start();
    service.programs.fake.failWith = new Error('secret path /srv/models');
    const bug = await service.call('POST', VISUAL, { json: visualRequest(good()) });
    expect(bug.body.data).toMatchObject({
      status: 'failed',
      results: null,
      failure: { code: 'INTERNAL_ERROR' },
    });
    expect(bug.text).not.toContain('secret path');
    service.programs.fake.failWith = new VehiError('engine', 'MODEL_MISSING', 'the model file is gone');
    expect((await service.call('POST', VISUAL, { json: visualRequest(good()) })).body.data.failure.code).toBe(
      'MODEL_MISSING',
    );
    service.programs.fake.failWith = undefined;
    expect((await service.call('POST', VISUAL, { json: visualRequest(good()) })).body.data.status).toBe(
      'completed',
    );
  });
});

describe('restart', () => {
  it('takes up what was processing, once, with its photos in order', async () => {
    const first = await start({}, { store: openDirectoryStore(directory) });
    hold(first);
    const headers = { prefer: 'respond-async', 'idempotency-key': 'k' };
    const { body } = await first.call('POST', VISUAL, { json: visualRequest(good(5)), headers });
    await first.call('POST', VISUAL, {
      json: visualRequest(good(), { vehicle_id: 'veh_2' }),
      headers: { prefer: 'respond-async' },
    });
    await expect.poll(() => first.programs.fake.seen.length).toBe(1);
    // As after kill -9: the first process is left where it is, a second one opens the same directory.
    const second = await start({}, { store: openDirectoryStore(directory) });
    const path = `${VISUAL}/${body.data.inspection_id}`;
    await expect
      .poll(async () => (await second.call('GET', `${VISUAL}?status=completed`)).body.data.pagination.total)
      .toBe(2);
    expect((await second.call('GET', path)).body.data.results.damages).toHaveLength(1);
    expect(second.programs.fake.seen[0]?.photos.map((p) => p.url)).toEqual(good(5));
    const replayed = await second.call('POST', VISUAL, { json: visualRequest(good(5)), headers });
    expect(replayed.body.data.inspection_id).toBe(body.data.inspection_id);
    first.programs.fake.hold = undefined;
  });

  it('gives up after three interrupted attempts', async () => {
    const first = await start({}, { store: openDirectoryStore(directory) });
    hold(first);
    const { body } = await first.call('POST', VISUAL, {
      json: visualRequest(good()),
      headers: { prefer: 'respond-async' },
    });
    for (let i = 0; i < 3; i++) await first.store.inspections.startAttempt(body.data.inspection_id);
    const second = await start({}, { store: openDirectoryStore(directory) });
    const path = `${VISUAL}/${body.data.inspection_id}`;
    await expect.poll(async () => (await second.call('GET', path)).body.data.status).toBe('failed');
    expect((await second.call('GET', path)).body.data.failure.code).toBe('INTERRUPTED');
  });

  it('opens the photos of work that was cut off in a process of their own, and leaves out what ends it', async () => {
    const first = await start({}, { store: openDirectoryStore(directory) });
    hold(first);
    const { body } = await first.call('POST', VISUAL, {
      json: visualRequest([...good(3), `${host.url}/1920x1080-abort.jpg`], {
        options: { skip_unusable_images: true },
      }),
      headers: { prefer: 'respond-async' },
    });
    await expect.poll(() => first.programs.fake.seen.length).toBe(1);
    const startChild = () => startStandInChild(0);
    const second = await start({}, { store: openDirectoryStore(directory), parts: { startChild } });
    const path = `${VISUAL}/${body.data.inspection_id}`;
    const read = async () => (await second.call('GET', path)).body.data;
    await expect.poll(async () => (await read()).status, { timeout: 150_000 }).toBe('completed');
    const { images, rejected_images: rejected, reports } = await read();
    expect(images).toHaveLength(3);
    expect(rejected).toMatchObject([
      { code: 'IMAGE_CRASHES_DECODER', url: `${host.url}/1920x1080-abort.jpg` },
    ]);
    expect(reports.pdf_url).toContain('report-try3.pdf');
    // Neither this process nor the first one opened them.
    expect([first, second].map(({ programs }) => programs.fake.seen.length)).toEqual([1, 0]);
  }, 180_000);

  it('fails work in the end that there is no such process for', async () => {
    const first = await start({}, { store: openDirectoryStore(directory) });
    hold(first);
    const { body } = await first.call('POST', VISUAL, {
      json: visualRequest(good()),
      headers: { prefer: 'respond-async' },
    });
    await expect.poll(() => first.programs.fake.seen.length).toBe(1);
    const startChild = () => spawn('false', { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const store = openDirectoryStore(directory);
    const second = await start({ jobRetryMs: 10 }, { store, parts: { startChild } });
    const path = `${VISUAL}/${body.data.inspection_id}`;
    const read = async () => (await second.call('GET', path)).body.data;
    await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe('failed');
    expect((await read()).failure.code).toBe('QUARANTINE_UNAVAILABLE');
    expect((await second.call('GET', '/metrics')).text).toContain('vehi_quarantine_start_failures_total 8');
  }, 120_000);

  it('an attempt that was overtaken stores nothing and leaves no file; the last one has files of its own', async () => {
    const first = await start({}, { store: openDirectoryStore(directory) });
    const release = hold(first);
    const { body } = await first.call('POST', VISUAL, {
      json: visualRequest(good()),
      headers: { prefer: 'respond-async' },
    });
    const id = body.data.inspection_id;
    await expect.poll(() => first.programs.fake.seen.length).toBe(1);
    // As another process does that took the first for dead.
    const second = await first.store.inspections.startAttempt(id);
    const third = await first.store.inspections.startAttempt(id);
    expect([second?.number, third?.number]).toEqual([2, 3]);
    release();
    await first.app.close();
    expect(await first.store.inspections.get(id)).toMatchObject({ status: 'processing', attempts: 3 });
    const names = () => first.store.blobs.list(id);
    expect((await names()).filter((name) => /^(annotated|report)/.test(name))).toEqual([]);
    await first.store.inspections.giveBackAttempt(id, third?.token ?? '');
    // What an attempt left that was killed.
    await first.store.blobs.put(id, 'annotated-7-try2.jpg', Buffer.from('half'));
    const next = await start({}, { store: openDirectoryStore(directory) });
    await expect
      .poll(async () => (await next.call('GET', `${VISUAL}/${id}`)).body.data.status)
      .toBe('completed');
    await expect
      .poll(async () => (await names()).filter((name) => !name.startsWith('photo')))
      .toEqual([
        'annotated-0-try3.jpg',
        'report-try3.pdf',
        'thumbnail-0.jpg',
        'thumbnail-1.jpg',
        'thumbnail-2.jpg',
        'thumbnail-3.jpg',
        'view-0.jpg',
        'view-1.jpg',
        'view-2.jpg',
        'view-3.jpg',
      ]);
    const { reports } = (await next.call('GET', `${VISUAL}/${id}`)).body.data;
    const { pathname, search } = new URL(reports.pdf_url);
    expect((await next.app.inject(`${pathname}${search}`)).body).toBe('%PDF-inspection');
  });

  it('ends as failed when its photos are gone', async () => {
    const first = await start({}, { store: openDirectoryStore(directory) });
    hold(first);
    const { body } = await first.call('POST', VISUAL, {
      json: visualRequest(good()),
      headers: { prefer: 'respond-async' },
    });
    await first.store.blobs.remove(body.data.inspection_id);
    const second = await start({}, { store: openDirectoryStore(directory) });
    const path = `${VISUAL}/${body.data.inspection_id}`;
    await expect
      .poll(async () => (await second.call('GET', path)).body.data.failure?.code)
      .toBe('PHOTOS_LOST');
  });

  it('closing finishes what runs and leaves what waits for the next start', async () => {
    const first = await start({ workers: 1 }, { store: openDirectoryStore(directory) });
    const release = hold(first);
    const running = first.call('POST', VISUAL, { json: visualRequest(good(), { vehicle_id: 'running' }) });
    await expect.poll(() => first.programs.fake.seen.length).toBe(1);
    const waiting = first.call('POST', VISUAL, { json: visualRequest(good(), { vehicle_id: 'waiting' }) });
    await expect.poll(async () => (await first.store.inspections.unfinished('sandbox')).length).toBe(2);
    const closed = first.app.close();
    expect((await waiting).status).toBe(202);
    release();
    expect((await running).body.data.status).toBe('completed');
    await closed;
    const second = await start({}, { store: openDirectoryStore(directory) });
    await expect
      .poll(async () => (await second.call('GET', `${VISUAL}?status=completed`)).body.data.pagination.total)
      .toBe(2);
  });
});

describe('being stopped', () => {
  it('refuses in the envelope what comes, and reports its health, until what runs is done', async () => {
    const service = await start();
    const address = await service.app.listen({ host: '127.0.0.1', port: 0 });
    const release = hold(service);
    const running = service.call('POST', VISUAL, { json: visualRequest(good()) });
    await expect.poll(() => service.programs.fake.seen.length).toBe(1);
    const closed = service.app.close();
    const headers = { authorization: `Bearer ${service.key}` };
    const get = (path: string) => fetch(`${address}${path}`, { headers });
    await expect.poll(async () => (await get('/readyz')).status).toBe(503);
    expect((await get('/healthz')).status).toBe(200);
    for (const path of [VISUAL, '/v1/account', '/v1/nothing', '/docs/']) {
      const refused = await get(path);
      expect([path, refused.status, await refused.json()]).toEqual([
        path,
        503,
        {
          status: 'error',
          error: {
            code: 'SERVICE_UNAVAILABLE',
            message: expect.stringContaining('being stopped'),
            type: 'server_error',
          },
          meta: { request_id: refused.headers.get('x-request-id') },
        },
      ]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused.headers.get('connection')).toBe('close');
    }
    release();
    expect((await running).body.data.status).toBe('completed');
    await closed;
  });
});

describe('retention', () => {
  it('begins after the start, a hundred at a time, and lets requests through in between', async () => {
    const store = openDirectoryStore(directory);
    const accountId = 'acc_1';
    for (let i = 0; i < 250; i++) {
      await store.inspections.create({
        ...{ id: `vis_${String(i).padStart(26, '0')}`, accountId, environment: 'sandbox', kind: 'visual' },
        ...{ vehicleId: 'v', status: 'completed', createdAt: '2020-01-01T00:00:00.000Z' },
        completedAt: '2020-01-01T00:00:05.000Z',
        ...{ attempts: 1, document: {}, meta: {}, request: {} },
      });
    }
    const { purge } = store.inspections;
    const batches: number[] = [];
    let answered = 0;
    const answeredBefore: number[] = [];
    store.inspections.purge = async (filter, limit) => {
      answeredBefore.push(answered);
      const ids = await purge(filter, limit);
      batches.push(ids.length);
      return ids;
    };
    const service = await start({ keepDays: 2, housekeepingDelayMs: 200 }, { store });
    expect(batches).toEqual([]);
    while (batches.length < 3) {
      expect((await service.app.inject('/healthz')).statusCode).toBe(200);
      answered++;
      await new Promise((done) => setTimeout(done, 1));
    }
    expect(batches).toEqual([100, 100, 50]);
    expect(answeredBefore[1]).toBeGreaterThan(answeredBefore[0] ?? 0);
    expect(answeredBefore[2]).toBeGreaterThan(answeredBefore[1] ?? 0);
  });

  it('removes what is older than --keep-days, with its files', async () => {
    const first = await start({}, { store: openDirectoryStore(directory) });
    const { body } = await first.call('POST', VISUAL, { json: visualRequest(good()) });
    await first.app.close();
    const { createClock } = await import('../../src/server/clock.ts');
    const clock = { ...createClock(), wallMs: () => Date.now() + 3 * 24 * 3_600_000 };
    const second = await start({ keepDays: 2 }, { store: openDirectoryStore(directory), parts: { clock } });
    const total = async () => (await second.call('GET', VISUAL)).body.data.pagination.total;
    await expect.poll(total).toBe(0);
    await expect.poll(() => second.store.blobs.list(body.data.inspection_id)).toEqual([]);
  });
});
