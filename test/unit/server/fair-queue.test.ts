import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClock } from '../../../src/server/clock.ts';
import { createLocalQueue } from '../../../src/server/work/local-queue.ts';
import { toPriority } from '../../../src/server/work/order.ts';
import type { JobEnd, QueueParts, WorkQueue } from '../../../src/server/work/queue.ts';
import { createFailureLog, createSharedQueue, migrateQueue } from '../../../src/server/work/shared-queue.ts';
import { createDirectoryBlobs } from '../../../src/storage/directory-blobs.ts';
import { computeTag, type JobLoad } from '../../../src/storage/fair-order.ts';
import type { Store } from '../../../src/storage/ports.ts';
import { openPostgresStore } from '../../../src/storage/postgres/store.ts';
import { openTemporaryStore } from '../../../src/storage/sqlite/store.ts';
import { makeGate } from '../../helpers/gate.ts';
import { inspection } from '../../helpers/results/stored-records.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../../helpers/services/postgres.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

// Many creations, on a machine that others use.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const environment = 'sandbox';
const soon = { timeout: 30_000, interval: 50 };
const record = (id: string, accountId: string) =>
  inspection(id, { accountId, createdAt: new Date().toISOString(), request: { images: [{}, {}, {}, {}] } });

it('a queue whose database is down logs each reason once a minute', () => {
  vi.useFakeTimers();
  const warn = vi.fn();
  const fail = createFailureLog({ warn });
  for (const reason of ['down', 'starting up', 'down', 'down']) fail(new Error(reason));
  expect(warn.mock.calls.map(([{ reason }]) => reason)).toEqual(['down', 'starting up']);
  vi.advanceTimersByTime(60_000);
  fail(new Error('down'));
  expect(warn).toHaveBeenCalledTimes(3);
  vi.useRealTimers();
});

let directory: string;
let postgres: PostgresServer | undefined;
let address = '';
beforeAll(() => {
  directory = makeOwnFolder('fair');
  if (!postgresMissing) postgres = startPostgres();
}, 60_000);
afterAll(() => postgres?.stop());

const createShared = (parts: QueueParts) =>
  createSharedQueue(parts, address, { lockMs: 30_000, missingMs: 60_000, countMs: 50 });
async function openShared(): Promise<Store> {
  address = postgres?.createDatabase() ?? '';
  await migrateQueue(address);
  return openPostgresStore({ url: address, connections: 4, objects: createDirectoryBlobs(directory) });
}

/** A queue of one process whose store has these jobs left. */
const createLocal = (left: readonly object[] = []) =>
  createLocalQueue({
    settings: { environment, queueLimit: 10, workers: 1, jobRetryMs: 1, workGraceMs: 0 },
    store: { inspections: { listUnfinished: async () => left } },
  } as unknown as QueueParts);

const QUEUES = [
  ['memory', async () => openTemporaryStore(), createLocalQueue, undefined],
  ['shared', openShared, createShared, postgresMissing],
] as const;

/** Reserves the place of a job, which there must be. */
async function reserve(queue: WorkQueue, accountId: string, weight: JobLoad['weight'] = 1) {
  const place = await queue.reserve(accountId, { photos: 4, weight });
  if ('refused' in place) throw new Error(`no place: ${JSON.stringify(place)}`);
  return place;
}

describe.each(QUEUES)('the order of work and its limits: %s', (_name, open, create, absent) => {
  const ends: (() => Promise<void>)[] = [];
  beforeEach(({ skip }) => skip(absent !== undefined, absent));
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  /** A queue whose work is begun one at a time, while `held` is not set. */
  async function start(workers = 1, queueLimit = 2_000) {
    const store = await open();
    const begun: string[] = [];
    const gate = { ...makeGate() };
    const queue = create({
      store,
      clock: createClock(),
      log: pino({ level: 'silent' }),
      settings: { environment, queueLimit, workers, jobRetryMs: 60_000, workGraceMs: 0 },
    });
    const run = async (id: string): Promise<JobEnd> => {
      const { token = '' } = (await store.inspections.startAttempt(id)) ?? {};
      begun.push(id);
      await gate.passed;
      const completedAt = new Date().toISOString();
      const outcome = { status: 'completed', completedAt, document: {}, meta: {}, messages: [] } as const;
      await store.inspections.finish(id, token, outcome);
      return 'ended';
    };
    let made = 0;
    const addOne = async (accountId: string, weight: JobLoad['weight']) => {
      const place = await reserve(queue, accountId, weight);
      const id = `${accountId}-${made++}`;
      const order = await store.inspections.create(record(id, accountId), { cost: place.cost });
      void place.submit(id, order);
    };
    const add = async (accountId: string, count: number, weight: JobLoad['weight'] = 1) => {
      for (let i = 0; i < count; i++) await addOne(accountId, weight);
      // What is unfinished has reached the queue, whose counts of all processes are taken now and then.
      const unfinished = async () => (await store.inspections.listUnfinished(environment)).length;
      const inQueue = ({ waiting, running } = queue.getCounts()) => waiting + running;
      await expect.poll(async () => inQueue() - (await unfinished()), soon).toBe(0);
    };
    await queue.start(run);
    ends.push(async () => {
      gate.open();
      await queue.drain();
      await store.close();
    });
    const of = (accountId: string, from: number, to: number) =>
      begun.slice(from, to).filter((id) => id.startsWith(accountId)).length;
    return { store, queue, add, begun, gate, of };
  }

  it('ten of one account behind 100 of another come at every second claim', async () => {
    const { add, begun, gate, of } = await start();
    await add('many', 100);
    await add('few', 10);
    gate.open();
    await expect.poll(() => of('few', 0, begun.length), soon).toBe(10);
    const places = begun.flatMap((id, place) => (id.startsWith('few') ? [place] : []));
    // What was begun before they came, what was claimed meanwhile, and then every second.
    expect(places.filter((place, i) => place > 2 * (i + 1) + 1)).toEqual([]);
  });

  it('accounts of weight 1 and 4 have one and four of five done', async () => {
    const { add, begun, gate, of } = await start();
    await add('free', 20, 1);
    await add('paid', 20, 4);
    gate.open();
    await expect.poll(() => begun.length, soon).toBe(40);
    expect(of('paid', 0, 20)).toBeGreaterThanOrEqual(15);
    expect(of('paid', 0, 20)).toBeLessThanOrEqual(17);
  });

  it('an account that has both workers keeps nobody waiting', async () => {
    const { add, begun, of } = await start(2);
    // Two that run, then two that wait: added at once, the second pair might reach the queue first.
    await add('hog', 2);
    await expect.poll(() => begun.length, soon).toBe(2);
    await add('hog', 2);
    await add('honest', 2);
    await expect.poll(() => begun.length, soon).toBe(3);
    expect([of('hog', 0, 3), of('honest', 0, 3)]).toEqual([2, 1]);
  });

  it('an account owes nothing for what was done while nobody else wanted anything', async () => {
    const { store, add, begun, gate, of } = await start();
    await add('first', 15);
    gate.open();
    await expect.poll(() => begun.length, soon).toBe(15);
    await expect.poll(async () => store.inspections.listUnfinished(environment), soon).toEqual([]);
    Object.assign(gate, makeGate());
    await add('first', 12);
    await add('second', 12);
    gate.open();
    await expect.poll(() => begun.length, soon).toBe(39);
    expect(Math.abs(of('first', 15, 27) - 6)).toBeLessThanOrEqual(1);
  });

  it('one account may have half of a queue, and another the rest', async () => {
    const { store, queue, add } = await start(0, 6);
    await add('many', 3);
    // What an account only keeps `processing` to try a client does not count.
    await store.inspections.create(record('vis_parked', 'few'), { parked: true });
    const size = { photos: 4, weight: 8 } as const;
    expect(await queue.reserve('many', size)).toEqual({ refused: 'account', limit: 3 });
    const atOnce = await Promise.all(Array.from({ length: 4 }, () => queue.reserve('few', size)));
    expect(atOnce.filter((place) => 'cost' in place)).toHaveLength(3);
  });
});

it('the wait of a job that is tried again begins with its retry', async () => {
  vi.useFakeTimers();
  const ends: ((end: JobEnd) => void)[] = [];
  const queue = createLocal(['a', 'b'].map((id) => ({ id, accountId: 'one', attempts: 0 })));
  await queue.start(
    () =>
      new Promise((resolve) => {
        ends.push(resolve);
      }),
  );
  await vi.advanceTimersByTimeAsync(60_000);
  ends[0]?.('again');
  await vi.advanceTimersByTimeAsync(11);
  expect(queue.getCounts()).toEqual({ waiting: 1, running: 1, delayed: 0, oldestWaitMs: 10 });
  vi.useRealTimers();
});

it.skipIf(postgresMissing)('PostgreSQL gives tags by what is unfinished', async () => {
  const store = await openShared();
  let made = 0;
  const take = (accountId: string, cost: number) =>
    store.inspections.create(record(`vis_${made++}`, accountId), { cost });
  expect(await take('acc_1', 32)).toBe(24);
  expect(await take('acc_1', 32)).toBe(56);
  await store.inspections.startAttempt('vis_0');
  // Another account comes before the next in line of its size, not behind all.
  expect(await take('acc_2', 32)).toBe(48);
  expect(await take('acc_2', 32)).toBe(80);
  expect(await take('acc_1', 32)).toBe(88);
  for (const id of ['vis_1', 'vis_2', 'vis_3']) await store.inspections.startAttempt(id);
  expect(await take('acc_3', 16)).toBe(88);
  expect((await store.inspections.listUnfinished(environment)).map(({ tag }) => tag)).toEqual([
    24, 56, 48, 80, 88, 88,
  ]);
  await store.close();
});

it.each([
  ['nothing is unfinished', { own: null, started: null, next: null }, 24],
  ['it has jobs itself', { own: 320, started: 32, next: 64 }, 352],
  ['only others wait', { own: null, started: null, next: 64 }, 88],
  ['only others run', { own: null, started: 64, next: null }, 88],
  ['a job ahead of the order runs', { own: null, started: 640, next: 64 }, 88],
])('the tag of an account where %s', (_name, tags, expected) => {
  expect(computeTag(tags, 32)).toBe(expected);
});

it.skipIf(postgresMissing)('one account never gets the same tag twice at once', async () => {
  const store = await openShared();
  const ids = Array.from({ length: 20 }, (_v, i) => `vis_${i}`);
  const tags = await Promise.all(ids.map((id) => store.inspections.create(record(id, 'acc_1'), { cost: 8 })));
  expect(new Set(tags).size).toBe(20);
  await store.close();
});

it.each([
  [undefined, 1],
  [12, 2],
  [1e9, 2_097_151],
])('tag %s has priority %s', (tag, priority) => {
  expect(toPriority(tag)).toBe(priority);
});
