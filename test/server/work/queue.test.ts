import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { VehiError } from '../../../src/lib/errors.ts';
import { runHousekeeping } from '../../../src/server/housekeeping.ts';
import type { Services } from '../../../src/server/services.ts';
import { openDirectoryStore } from '../../../src/storage/sqlite/store.ts';
import { inspection } from '../../helpers/results/stored-records.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import { onCluster } from '../helpers/cluster-store.ts';
import { good, photoUrl } from '../helpers/photo-host.ts';
import { begin, codeOf, LATER, openService, type TestService, VISUAL, waitFor } from '../helpers/service.ts';
import { listenOn } from '../helpers/sockets.ts';

const countOf = async (service: TestService, query = '') =>
  (await service.read(`${VISUAL}${query}`)).pagination.total;

describe('queue', () => {
  it.skipIf(onCluster)('past its bound answers 503 with Retry-After and stores nothing', async () => {
    const service = await openService({ queueLimit: 2 });
    const release = service.backend.fake.holdUp();
    const create = (as: string) => service.inspect({ headers: LATER, as });
    for (const key of [service.key, service.otherKey]) expect((await create(key)).status).toBe(202);
    const full = await create(service.key);
    expect(codeOf(full)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(full.headers['retry-after']).toBe('30');
    expect(await countOf(service)).toBe(1);
    expect(await service.store.blobs.listOwners()).toHaveLength(2);
    // Results are still read: a balancer must not take the service out for that.
    const ready = await service.app.inject('/readyz');
    expect([ready.statusCode, ready.json()]).toMatchObject([200, { queue: false }]);
    release();
    await expect.poll(() => countOf(service, '?status=completed')).toBe(1);
    // The place is given back once the result is stored.
    const again = async () => (await create(service.key)).status;
    await expect.poll(again).toBe(202);
    expect((await service.app.inject('/readyz')).statusCode).toBe(200);
  });

  it('has no job of a request that simulates one that is never done, and no place', async () => {
    const service = await openService({ queueLimit: 1 });
    const headers = { 'x-vehi-simulate': 'processing' };
    for (const _try of [1, 2]) expect((await service.inspect({ headers })).status).toBe(202);
    expect(service.backend.fake.seen).toEqual([]);
  });

  it('a refused request gives its place back', async () => {
    const service = await openService({ queueLimit: 1 });
    for (let i = 0; i < 3; i++)
      expect((await service.inspect({ urls: [...good(3), photoUrl('missing')] })).status).toBe(422);
    expect((await service.inspect()).status).toBe(201);
  });

  it('more photos, or more time, than the inline limit answer 202', async () => {
    const service = await openService({ inlineImages: 5, inlineMs: 50 });
    const { status, body } = await service.inspect({ urls: good(6) });
    expect(status).toBe(202);
    await waitFor(service, body.data.inspection_id);
    service.backend.fake.holdUp();
    expect((await service.inspect()).status).toBe(202);
  });

  it('what waits behind its own account longer than the inline limit answers 202 at once', async () => {
    const service = await openService({ inlineMs: 1_500, workers: 1 });
    // The first inspection takes 0.8 seconds: eight of them are expected to take longer than the limit.
    const release = service.backend.fake.holdUp();
    const first = service.inspect();
    await expect.poll(() => service.backend.fake.seen).toHaveLength(1);
    setTimeout(release, 800);
    await waitFor(service, (await first).body.data.inspection_id);
    service.backend.fake.holdUp();
    for (let i = 0; i < 8; i++) await begin(service);
    const { status, body } = await service.inspect();
    const record = await service.store.inspections.get(body.data.inspection_id);
    expect([status, record?.request]).toMatchObject([202, { refusableUntilMs: 0 }]);
  });

  it('a failure of the engine ends as failed, and says no more than it should', async () => {
    const service = await openService();
    const inspectWith = (fault: unknown) => {
      service.backend.fake.failWith = fault;
      return service.inspect();
    };
    const failed = (code: string) => ({ status: 'failed', results: null, failure: { code } });
    const bug = await inspectWith(new Error('secret path /srv/models'));
    expect(bug.body.data).toMatchObject(failed('INTERNAL_ERROR'));
    expect(bug.text).not.toContain('secret path');
    const missing = await inspectWith(new VehiError('engine', 'MODEL_MISSING', 'the model file is gone'));
    expect(missing.body.data).toMatchObject(failed('MODEL_MISSING'));
    expect((await inspectWith(undefined)).body.data.status).toBe('completed');
  });
});

it('a service being stopped refuses in the envelope what comes, and reports its health, until what runs is done', async () => {
  const service = await openService();
  const port = await listenOn(service);
  const release = service.backend.fake.holdUp();
  const running = service.inspect();
  await expect.poll(() => service.backend.fake.seen.length).toBe(1);
  const closed = service.app.close();
  const headers = { authorization: `Bearer ${service.key}` };
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers });
  await expect.poll(async () => (await get('/readyz')).status).toBe(503);
  expect((await get('/healthz')).status).toBe(200);
  for (const path of [VISUAL, '/v1/account', '/v1/nothing', '/docs/']) {
    const refused = await get(path);
    const message = expect.stringContaining('being stopped');
    const error = { code: 'SERVICE_UNAVAILABLE', message, type: 'server_error' };
    const [meta, ...others] = ['x-request-id', 'retry-after', 'connection'].map((name) =>
      refused.headers.get(name),
    );
    expect(await refused.json()).toEqual({ status: 'error', error, meta: { request_id: meta } });
    expect([path, refused.status, ...others]).toEqual([path, 503, '5', 'close']);
  }
  release();
  expect((await running).body.data.status).toBe('completed');
  await closed;
});

describe('retention', () => {
  it('begins after the start, a hundred at a time, and lets requests through in between', async () => {
    const store = openDirectoryStore(makeOwnFolder('retention'));
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    for (let i = 0; i < 251; i++) {
      const createdAt = daysAgo(i === 0 ? 1 : 3);
      const id = `vis_${String(i).padStart(26, '0')}`;
      await store.inspections.create(inspection(id, { status: 'completed', createdAt }));
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
    const service = await openService({ keepDays: 2, housekeepingDelayMs: 200 }, { store });
    expect(batches).toEqual([]);
    while (batches.length < 3) {
      expect((await service.app.inject('/healthz')).statusCode).toBe(200);
      answered++;
      await sleep(1);
    }
    expect(batches).toEqual([100, 100, 50]);
    expect(answeredBefore[1]).toBeGreaterThan(answeredBefore[0] ?? 0);
    expect(answeredBefore[2]).toBeGreaterThan(answeredBefore[1] ?? 0);
    expect((await store.inspections.get('vis_00000000000000000000000000'))?.id).toBeDefined();
  });

  it('a process that only works does nothing of it: how long what is kept is known to those that serve', async () => {
    expect(await runHousekeeping({ self: { kind: 'work' } } as Services)).toBe(false);
  });
});
