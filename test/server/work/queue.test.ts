import { describe, expect, it } from 'vitest';
import { VehiError } from '../../../src/lib/errors.ts';
import { runHousekeeping } from '../../../src/server/housekeeping.ts';
import type { VisualJob } from '../../../src/server/jobs/visual-job.ts';
import type { Services } from '../../../src/server/services.ts';
import type { WorkQueue } from '../../../src/server/work/queue.ts';
import type { InspectionRecord } from '../../../src/storage/ports.ts';
import { openDirectoryStore } from '../../../src/storage/sqlite/store.ts';
import { useQueueServices, VISUAL } from '../helpers/queue-services.ts';
import { codeOf, visualRequest } from '../helpers/service.ts';

const use = useQueueServices();
const { start, hold, good, photo } = use;

/** A queue that only reserves. */
const makeStubQueue = (reserved: unknown) => () =>
  new Proxy({} as WorkQueue, {
    get: (_target, name) => async () => (name === 'reserve' ? reserved : undefined),
  });

describe('queue', () => {
  it('past its bound answers 503 with Retry-After and stores nothing', async () => {
    const service = await start({ queueLimit: 2 });
    const release = hold(service);
    const headers = { prefer: 'respond-async' };
    const create = (as: string) => service.call('POST', VISUAL, { json: visualRequest(good()), headers, as });
    for (const key of [service.key, service.otherKey]) expect((await create(key)).status).toBe(202);
    const full = await create(service.key);
    expect(codeOf(full)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(full.headers['retry-after']).toBe('30');
    expect((await service.call('GET', VISUAL)).body.data.pagination.total).toBe(1);
    expect(await service.store.blobs.listOwners()).toHaveLength(2);
    // Results are still read: a balancer must not take the service out for that.
    const ready = await service.app.inject('/readyz');
    expect([ready.statusCode, ready.json()]).toMatchObject([200, { queue: false }]);
    release();
    await expect
      .poll(async () => (await service.call('GET', `${VISUAL}?status=completed`)).body.data.pagination.total)
      .toBe(1);
    // The place is given back once the result is stored.
    const again = async () => (await create(service.key)).status;
    await expect.poll(again).toBe(202);
    expect((await service.app.inject('/readyz')).statusCode).toBe(200);
  });

  it('that an account may not fill further answers 429 with what it may have', async () => {
    const service = await start();
    const createQueue = makeStubQueue({ refused: 'account', limit: 125 });
    const shared = await start({}, { parts: { createQueue }, store: service.store });
    const refused = await shared.call('POST', VISUAL, { json: visualRequest(good()) });
    expect([refused.status, refused.body.error]).toMatchObject([
      429,
      { code: 'CONCURRENCY_LIMIT_EXCEEDED', details: { reason: 'waiting', limit: 125 } },
    ]);
    expect(refused.headers['retry-after']).toBe('30');
  });

  it('has no job of a request that simulates one that is never done, and no place', async () => {
    const calls: string[] = [];
    const [cancel, submit] = ['cancel', 'submit'].map((name) => async () => void calls.push(name));
    const service = await start({}, { parts: { createQueue: makeStubQueue({ cost: 1, cancel, submit }) } });
    const headers = { 'x-vehi-simulate': 'processing' };
    const { status } = await service.call('POST', VISUAL, { json: visualRequest(good()), headers });
    expect([status, calls]).toEqual([202, ['cancel']]);
  });

  it('measures the wait of the oldest that waits, not of one that runs', async () => {
    const service = await start({ workers: 1 });
    hold(service);
    const headers = { prefer: 'respond-async' };
    const create = () => service.call('POST', VISUAL, { json: visualRequest(good()), headers });
    const readOldest = async () =>
      Number(/^vehi_queue_oldest_seconds (.+)$/m.exec((await service.app.inject('/metrics')).body)?.[1]);
    await create();
    await expect.poll(() => service.backend.fake.seen.length).toBe(1);
    await expect.poll(readOldest).toBe(0);
    await create();
    await expect.poll(readOldest).toBeGreaterThan(0);
  });

  it('a refused request gives its place back', async () => {
    const service = await start({ queueLimit: 1 });
    for (let i = 0; i < 3; i++) {
      expect(
        (await service.call('POST', VISUAL, { json: visualRequest([...good(3), photo('missing')]) })).status,
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

  it('what waits behind its own account longer than the inline limit answers 202 at once', async () => {
    const service = await start({ inlineMs: 3_000, workers: 1 });
    const post = (more = {}) => service.call('POST', VISUAL, { json: visualRequest(good()), ...more });
    // The first inspection takes a second and a half: eight of them are expected to take longer than the limit.
    const release = hold(service);
    const first = post();
    await expect.poll(() => service.backend.fake.seen).toHaveLength(1);
    setTimeout(release, 1_500);
    const { inspection_id: id } = (await first).body.data;
    const read = async (one: string) => (await service.store.inspections.get(one)) as InspectionRecord;
    await expect.poll(async () => (await read(id)).status).toBe('completed');
    const again = hold(service);
    const headers = { prefer: 'respond-async' };
    for (let i = 0; i < 8; i++) expect((await post({ headers })).status).toBe(202);
    const { status, body } = await post();
    const { request } = await read(body.data.inspection_id);
    expect([status, (request as VisualJob).refusableUntilMs]).toEqual([202, 0]);
    service.backend.fake.hold = undefined;
    again();
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
    expect(service.backend.fake.seen).toHaveLength(50);
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
    service.backend.fake.failWith = new Error('secret path /srv/models');
    const bug = await service.call('POST', VISUAL, { json: visualRequest(good()) });
    expect(bug.body.data).toMatchObject({
      status: 'failed',
      results: null,
      failure: { code: 'INTERNAL_ERROR' },
    });
    expect(bug.text).not.toContain('secret path');
    service.backend.fake.failWith = new VehiError('engine', 'MODEL_MISSING', 'the model file is gone');
    expect((await service.call('POST', VISUAL, { json: visualRequest(good()) })).body.data.failure.code).toBe(
      'MODEL_MISSING',
    );
    service.backend.fake.failWith = undefined;
    expect((await service.call('POST', VISUAL, { json: visualRequest(good()) })).body.data.status).toBe(
      'completed',
    );
  });
});

describe('being stopped', () => {
  it('refuses in the envelope what comes, and reports its health, until what runs is done', async () => {
    const service = await start();
    const address = await service.app.listen({ host: '127.0.0.1', port: 0 });
    const release = hold(service);
    const running = service.call('POST', VISUAL, { json: visualRequest(good()) });
    await expect.poll(() => service.backend.fake.seen.length).toBe(1);
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
      expect(refused.headers.get('retry-after')).toBe('5');
      expect(refused.headers.get('connection')).toBe('close');
    }
    release();
    expect((await running).body.data.status).toBe('completed');
    await closed;
  });
});

describe('retention', () => {
  it('begins after the start, a hundred at a time, and lets requests through in between', async () => {
    const store = openDirectoryStore(use.directory);
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
    const first = await start({}, { store: openDirectoryStore(use.directory) });
    const { body } = await first.call('POST', VISUAL, { json: visualRequest(good()) });
    await first.app.close();
    const { createClock } = await import('../../../src/server/clock.ts');
    const clock = { ...createClock(), wallMs: () => Date.now() + 3 * 24 * 3_600_000 };
    const second = await start(
      { keepDays: 2 },
      { store: openDirectoryStore(use.directory), parts: { clock } },
    );
    const total = async () => (await second.call('GET', VISUAL)).body.data.pagination.total;
    await expect.poll(total).toBe(0);
    await expect.poll(() => second.store.blobs.list(body.data.inspection_id)).toEqual([]);
  });

  it('a process that only works does nothing of it: how long what is kept is known to those that serve', async () => {
    expect(await runHousekeeping({ self: { kind: 'work' } } as Services)).toBe(false);
  });
});
