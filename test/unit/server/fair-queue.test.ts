// @module-tag slow: thousands of jobs are handed out
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import pLimit from 'p-limit';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createClock } from '../../../src/server/clock.ts';
import { createMetrics } from '../../../src/server/metrics.ts';
import { parseRedisUrl } from '../../../src/server/redis/address.ts';
import { connectRedis } from '../../../src/server/redis/connect.ts';
import { createQueueConnections } from '../../../src/server/redis/queue-connections.ts';
import { DEFAULT_SETTINGS } from '../../../src/server/server-settings.ts';
import type { QueueParts } from '../../../src/server/services.ts';
import { createLane } from '../../../src/server/work/bullmq-lane.ts';
import type { JobSize } from '../../../src/server/work/job-cost.ts';
import { createMemoryQueue } from '../../../src/server/work/memory-queue.ts';
import type { WorkQueue } from '../../../src/server/work/port.ts';
import { createSharedOrder } from '../../../src/server/work/shared-order.ts';
import { createSharedQueue } from '../../../src/server/work/shared-queue.ts';
import { createDirectoryBlobs } from '../../../src/storage/directory-blobs.ts';
import type { InspectionRecord, Store } from '../../../src/storage/ports.ts';
import { openPostgresStore } from '../../../src/storage/postgres/store.ts';
import { openMemoryStore } from '../../../src/storage/sqlite/store.ts';
import {
  clearDatabase,
  type PostgresServer,
  postgresMissing,
  startPostgres,
} from '../../helpers/services/postgres.ts';
import { type RedisServer, redisMissing, startRedis } from '../../helpers/services/redis.ts';

// Many creations, on a machine that others use.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const environment = 'sandbox';
const record = (id: string, accountId: string): InspectionRecord => ({
  ...{ id, accountId, environment, kind: 'visual', vehicleId: 'veh', status: 'processing' },
  ...{ createdAt: new Date().toISOString(), completedAt: null, attempts: 0, document: {}, meta: {} },
  request: { images: [{}, {}, {}, {}] },
});

let directory: string;
let postgres: PostgresServer | undefined;
let redis: RedisServer | undefined;
let client: Redis;
let address = '';
const missing = postgresMissing ?? redisMissing;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'vehi-fair-'));
  if (missing) return;
  postgres = startPostgres();
  // It refuses a command whose keys are not all in one slot.
  redis = await startRedis({ cluster: 'all' });
  address = postgres.createDatabase();
  client = await connectRedis(parseRedisUrl(redis.url));
}, 60_000);
afterAll(async () => {
  client?.disconnect();
  await redis?.stop();
  postgres?.stop();
  rmSync(directory, { recursive: true, force: true });
});

let queues = 0;
function createShared(parts: QueueParts): WorkQueue {
  const connections = createQueueConnections(parseRedisUrl(redis?.url ?? '').options, client);
  const timing = { lockMs: 60_000, stalledCheckMs: 60_000, sweepMs: 60_000, settledMs: 60_000 };
  return createSharedQueue(parts, { connections, client, prefix: `{fair-${queues++}}`, timing });
}
async function openShared(): Promise<Store> {
  const store = await openPostgresStore({
    url: address,
    connections: 4,
    objects: createDirectoryBlobs(directory),
  });
  await clearDatabase(address);
  return store;
}

describe.each([
  ['memory', async () => openMemoryStore(), (parts: QueueParts) => createMemoryQueue(parts), undefined],
  ['shared', openShared, createShared, missing],
] as const)('the order of work: %s', (_name, open, create, absent) => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  /** A queue whose work is begun one at a time, while `held` is not set. */
  async function start({ limit = 2_000, workers = 1 } = {}) {
    const store = await open();
    const begun: string[] = [];
    const gate = { held: undefined as Promise<void> | undefined, open: () => {} };
    const hold = () => {
      gate.held = new Promise((done) => {
        gate.open = () => {
          gate.held = undefined;
          done();
        };
      });
    };
    const services = {
      store,
      settings: { ...DEFAULT_SETTINGS, environment },
      self: { id: 'prc', kind: 'work', version: '1', host: 'h' },
      log: pino({ level: 'silent' }),
      clock: createClock(),
      metrics: createMetrics(),
    } as unknown as ReturnType<QueueParts['services']>;
    const queue = create({
      ...{ limit, workers, retryMs: 60_000, graceMs: 0, listUnfinished: async () => [] },
      run: async (id) => {
        queue.recordStart((await store.inspections.get(id))?.tag);
        begun.push(id);
        await gate.held;
        return 'ended';
      },
      services: () => services,
    });
    let made = 0;
    const addOne = async (accountId: string, weight: JobSize['weight']) => {
      const place = await queue.reserve(accountId, { photos: 4, weight });
      if ('full' in place) throw new Error(`no place: ${JSON.stringify(place)}`);
      const id = `${accountId}-${made++}`;
      const order = await store.inspections.create(record(id, accountId), { cost: place.cost });
      void place.submit(id, order);
    };
    const add = (accountId: string, count: number, weight: JobSize['weight'] = 1) =>
      pLimit(4).map(Array.from({ length: count }), () => addOne(accountId, weight));
    hold();
    await queue.start();
    ends.push(async () => {
      gate.open();
      await queue.drain();
      await store.close();
    });
    const of = (accountId: string, from: number, to: number) =>
      begun.slice(from, to).filter((id) => id.startsWith(accountId)).length;
    return { store, queue, add, begun, gate, hold, of };
  }
  const soon = { timeout: 100_000, interval: 50 };

  it.skipIf(absent)('ten of one account behind 300 of another come at every second claim', async () => {
    const { add, begun, gate, of } = await start();
    await add('many', 300);
    await add('few', 10);
    gate.open();
    await expect.poll(() => of('few', 0, begun.length), soon).toBe(10);
    const places = begun.flatMap((id, place) => (id.startsWith('few') ? [place] : []));
    // What was begun before they came, what was claimed meanwhile, and then every second.
    expect(places.filter((place, i) => place > 2 * (i + 1) + 1)).toEqual([]);
  });

  it.skipIf(absent)('accounts of weight 1 and 4 have one and four of five done', async () => {
    const { add, begun, gate, of } = await start();
    await add('free', 40, 1);
    await add('paid', 40, 4);
    gate.open();
    await expect.poll(() => begun.length, soon).toBe(80);
    expect(of('paid', 0, 40)).toBeGreaterThanOrEqual(30);
    expect(of('paid', 0, 40)).toBeLessThanOrEqual(34);
  });

  it.skipIf(absent)('an account that has both workers keeps nobody waiting', async () => {
    const { add, begun, of } = await start({ workers: 2 });
    await add('hog', 4);
    await expect.poll(() => begun.length, soon).toBe(2);
    await add('honest', 2);
    await expect.poll(() => begun.length, soon).toBe(3);
    expect([of('hog', 0, 3), of('honest', 0, 3)]).toEqual([2, 1]);
  });

  it.skipIf(absent)(
    'an account owes nothing for what was done while nobody else wanted anything',
    async () => {
      const { store, add, begun, gate, hold, of } = await start();
      await add('first', 30);
      gate.open();
      await expect.poll(() => begun.length, soon).toBe(30);
      const { order } = store;
      if (order)
        await expect.poll(async () => (await order.read(environment)).startedTag, soon).toBe(30 * 4 * 8);
      hold();
      await add('first', 20);
      await add('second', 20);
      gate.open();
      await expect.poll(() => begun.length, soon).toBe(70);
      expect(Math.abs(of('first', 30, 50) - 10)).toBeLessThanOrEqual(1);
    },
  );
});

/** A queue with one worker, whose work ends when it is released. */
function makeHeldQueue() {
  const begun: string[] = [];
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  const run = async (id: string) => {
    begun.push(id);
    await held;
    return 'ended' as const;
  };
  const queue = createMemoryQueue({ limit: 10, workers: 1, retryMs: 1, listUnfinished: async () => [], run });
  return { queue, begun, release: () => release() };
}

it('next to an account that has all workers, one piece of another account runs', async () => {
  const { queue, begun, release } = makeHeldQueue();
  const works = ['hog-1', 'hog-2', 'honest-1', 'honest-2', 'third-1'].map(async (id) => {
    const place = await queue.reserve(id.split('-')[0] ?? '', { photos: 4, weight: 1 });
    if ('cost' in place) await place.submit(id, undefined);
  });
  await expect.poll(() => queue.waiting).toBe(3);
  expect(begun).toEqual(['hog-1', 'honest-1']);
  release();
  await Promise.all(works);
  expect(begun.slice(2).sort()).toEqual(['hog-2', 'honest-2', 'third-1']);
});

it.each([
  ['a larger one', 12, ['one', 'other']],
  ['one of its size', 4, ['one']],
])('a single piece of another account begins next to %s or waits', async (_name, photos, expected) => {
  const { queue, begun, release } = makeHeldQueue();
  const works: Promise<void>[] = [];
  for (const [id, count] of [['one', photos] as const, ['other', 4] as const]) {
    const place = await queue.reserve(id, { photos: count, weight: 1 });
    if ('cost' in place) works.push(place.submit(id, undefined));
  }
  expect(begun).toEqual(expected);
  release();
  await Promise.all(works);
  expect(begun).toEqual(['one', 'other']);
});

it.each([
  ['here', 'ended'],
  ['apart', 'quarantine'],
] as const)('kills after every start meet each piece as often as the others, %s', async (_name, first) => {
  const left = ['a', 'b', 'c'].map((id) => ({ id, accountId: 'one', attempts: 0 }));
  for (let life = 0; life < 30; life++) {
    // The process is killed in the middle of the first piece that it begins.
    const begun: string[] = [];
    const queue = createMemoryQueue({
      ...{ limit: 10, workers: 1, retryMs: 1, listUnfinished: async () => left },
      run(id, _signal, apart) {
        if (first === 'quarantine' && !apart) return Promise.resolve(first);
        begun.push(id);
        return new Promise(() => undefined);
      },
    });
    await queue.start();
    await expect.poll(() => begun, { interval: 1 }).toHaveLength(1);
    for (const piece of left) if (piece.id === begun[0]) piece.attempts++;
  }
  expect(left.map(({ attempts }) => attempts)).toEqual([10, 10, 10]);
});

it.skipIf(missing)('one account may have half of a shared queue, and another the rest', async () => {
  const store = await openShared();
  const services = { store, settings: { ...DEFAULT_SETTINGS, environment } };
  const queue = createShared({
    ...{
      limit: 6,
      workers: 0,
      retryMs: 1,
      graceMs: 0,
      listUnfinished: async () => [],
      run: async () => 'ended',
    },
    services: () => services as unknown as ReturnType<QueueParts['services']>,
  });
  const share = { photos: 4, weight: 8 } as const;
  for (let i = 0; i < 3; i++) {
    const place = await queue.reserve('acc_1', share);
    if ('full' in place) throw new Error(`no place: ${JSON.stringify(place)}`);
    expect(place.cost).toBe(4);
    const order = await store.inspections.create(record(`vis_${i}`, 'acc_1'), { cost: place.cost });
    await place.submit(`vis_${i}`, order);
  }
  // What an account only keeps `processing` to try a client does not count.
  await store.inspections.create(record('vis_parked', 'acc_2'), { parked: true });
  expect(await queue.reserve('acc_1', share)).toMatchObject({ full: 'account', limit: 3 });
  const atOnce = await Promise.all(Array.from({ length: 4 }, () => queue.reserve('acc_2', share)));
  expect(atOnce.filter((place) => 'cost' in place)).toHaveLength(3);
  await queue.drain();
  await store.close();
});

it.skipIf(missing)(
  'tags are counted from a new base when asked to, and an account begins where the order is',
  async () => {
    const store = await openShared();
    const take = async (id: string, accountId: string, cost: number) =>
      store.inspections.create(record(id, accountId), { cost });
    expect(await take('vis_1', 'acc_1', 32)).toEqual({ tag: 32, base: 0 });
    expect(await take('vis_2', 'acc_1', 32)).toEqual({ tag: 64, base: 0 });
    await store.order?.advance(environment, 64);
    await store.order?.advance(environment, 32);
    await store.order?.rebase(environment);
    expect(await store.order?.read(environment)).toEqual({ startedTag: 64, base: 64 });
    expect(await take('vis_3', 'acc_2', 8)).toEqual({ tag: 72, base: 64 });
    expect((await store.inspections.listUnfinished(environment)).map(({ tag }) => tag)).toEqual([32, 64, 72]);
    await store.close();
  },
);

const MANY = 1_100;
/** Stores waiting work by one statement, with tags from `tag` on. */
async function insertWaiting(count: number, tag: number, cost: number): Promise<void> {
  const db = new pg.Client({ connectionString: address });
  await db.connect();
  await db.query(
    `INSERT INTO inspections (id, account_id, environment, kind, vehicle_id, status, created_at, attempts, document,
       meta, request, photos, parked, tag)
     SELECT 'many_' || lpad(n::text, 4, '0'), 'acc_3', $1, 'visual', 'veh', 'processing', $2, 0, '{}', '{}', '{}', 4,
       false, $3::bigint + n * $4::bigint FROM generate_series(1, $5::int) n`,
    [environment, new Date().toISOString(), tag, cost, count],
  );
  await db.end();
}

it.skipIf(missing)(
  'what waits is given new priorities before they end, and nothing else changes',
  async () => {
    const store = await openShared();
    const services = { store, settings: { environment }, log: pino({ level: 'silent' }) };
    const lane = createLane('inspections', {
      connections: createQueueConnections(parseRedisUrl(redis?.url ?? '').options, client),
      ...{ prefix: `{fair-${queues++}}`, retryMs: 1 },
      timing: { lockMs: 60_000, stalledCheckMs: 60_000, sweepMs: 60_000, settledMs: 60_000 },
    });
    const order = createSharedOrder(() => services as unknown as ReturnType<QueueParts['services']>, lane);
    const priorities = () =>
      Promise.all(['vis_1', 'vis_2'].map(async (id) => (await lane.queue.getJob(id))?.priority));
    order.recordStart(7_000_000);
    await order.advance();
    for (const [id, cost] of [['vis_1', 32] as const, ['vis_2', 64] as const]) {
      await store.inspections.create(record(id, 'acc_1'), { cost });
    }
    // More than are read at once, each four photos behind the one before.
    await insertWaiting(MANY, 9_000_000, 32);
    await lane.add(await order.prioritise(await store.inspections.listUnfinished(environment)));
    expect(await priorities()).toEqual([875_004, 875_012]);
    // Far from the end: as it was.
    await order.rebase(false);
    expect(await priorities()).toEqual([875_004, 875_012]);
    order.recordStart(9_000_000);
    await order.advance();
    await store.inspections.create(record('vis_3', 'acc_2'), { cost: 32 });
    await order.rebase(false);
    expect(await store.order?.read(environment)).toEqual({ startedTag: 9_000_000, base: 9_000_000 });
    expect(await priorities()).toEqual([1, 1]);
    const many = (await lane.queue.getPrioritized(0, -1)).filter(({ id }) => id?.startsWith('many_'));
    expect(many.map(({ id, priority }) => `${id} ${priority}`)).toEqual(
      Array.from({ length: MANY }, (_v, i) => `many_${String(i + 1).padStart(4, '0')} ${(i + 1) * 4}`),
    );
    const third = (await order.prioritise(await store.inspections.listUnfinished(environment))).find(
      ({ id }) => id === 'vis_3',
    );
    expect(third?.priority).toBe(4);
    order.close();
    await lane.close();
    await store.close();
  },
);
