import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClock } from '../../../../src/server/clock.ts';
import { removeLeftovers } from '../../../../src/server/jobs/leftovers.ts';
import { runVisualJob } from '../../../../src/server/jobs/visual.ts';
import {
  emptyInspection,
  outputName,
  photoName,
  type VisualJob,
} from '../../../../src/server/jobs/visual-job.ts';
import { createServices } from '../../../../src/server/make-services.ts';
import { DEFAULT_SETTINGS } from '../../../../src/server/server-settings.ts';
import { LOST, STOPPING, type WorkEnd } from '../../../../src/server/work/port.ts';
import { createSweep } from '../../../../src/server/work/sweep.ts';
import { memoryBlobs } from '../../../../src/storage/blobs.ts';
import type { Store, UnfinishedWork } from '../../../../src/storage/ports.ts';
import { openPostgresStore } from '../../../../src/storage/postgres/store.ts';
import { removeInspections } from '../../../../src/storage/removal.ts';
import { openMemoryStore } from '../../../../src/storage/sqlite/store.ts';
import { endpoint, inspection } from '../../../helpers/results/stored-records.ts';
import {
  clearDatabase,
  type PostgresServer,
  postgresMissing,
  startPostgres,
} from '../../../helpers/services/postgres.ts';
import { makeFakePrograms, photo } from '../../../server/helpers/programs.ts';

const ENVIRONMENT = 'sandbox';
const ATTEMPTS_MAX = 3;

/** What may happen to a service; `pick` chooses which of what is there. */
const EVENTS = [
  'create',
  'create without the queue',
  'claim',
  'claim',
  'finish',
  'finish',
  'die',
  'hang',
  'lose the lock',
  'stop',
  'lose the queue',
  'sweep',
  'remove',
] as const;
type Event = readonly [name: (typeof EVENTS)[number], pick: number];
const schedules = fc.array(fc.tuple(fc.constantFrom(...EVENTS), fc.nat(1_000)), {
  minLength: 20,
  maxLength: 60,
  size: 'max',
});

/** An analysis under way in some process. */
interface Running {
  readonly id: string;
  readonly controller: AbortController;
  readonly end: Promise<WorkEnd>;
  readonly goOn: () => void;
  /** Of its attempt. */
  readonly token: string | undefined;
  /** Its process has the job by what the queue knows. */
  holds: boolean;
}

/** A service whose analyses go on when the schedule says so, over a queue that keeps each id once, as BullMQ does. */
async function startService(store: Store) {
  const started = new Map<string, number>();
  const stored: string[] = [];
  const tokens = new Map<string, string>();
  const { inspections } = store;
  const counting: Store = {
    ...store,
    inspections: {
      ...inspections,
      async startAttempt(id) {
        const attempt = await inspections.startAttempt(id);
        if (attempt) {
          started.set(id, (started.get(id) ?? 0) + 1);
          tokens.set(id, attempt.token);
        }
        return attempt;
      },
      async finish(id, token, outcome) {
        const done = await inspections.finish(id, token, outcome);
        if (done) stored.push(id);
        return done;
      },
    },
  };
  const programs = makeFakePrograms();
  let onInspect: ((goOn: () => void) => void) | undefined;
  const engine: typeof programs.engine = {
    ...programs.engine,
    async inspect(...asked) {
      await new Promise<void>((goOn) => onInspect?.(goOn));
      return programs.engine.inspect(...asked);
    },
  };
  const settings = {
    ...DEFAULT_SETTINGS,
    environment: ENVIRONMENT,
    sandbox: true,
    keepViewsDays: 0,
  } as const;
  const log = pino({ level: 'silent' });
  const made = await createServices(
    { programs: { ...programs, engine }, store: counting, clock: createClock(), settings },
    { kind: 'work', log, connections: undefined },
  );
  const services = { ...made, dispatcher: { ...made.dispatcher, add: () => undefined } };
  await store.webhooks.createEndpoint({
    ...endpoint,
    events: ['visual_inspection.completed', 'visual_inspection.failed'],
  });

  const waiting: string[] = [];
  const active = new Set<string>();
  const running: Running[] = [];
  const created: string[] = [];
  const removed = new Set<string>();
  let nowMs = Date.UTC(2026, 0, 1);
  let run = 0;
  const held = (id: string) => waiting.includes(id) || active.has(id);
  const add = (id: string) => void (held(id) || waiting.push(id));
  const handBack = (one: Running) => {
    if (!one.holds) return;
    one.holds = false;
    if (active.delete(one.id)) add(one.id);
  };
  const sweep = createSweep<UnfinishedWork>({
    page: (range) => inspections.unfinished(ENVIRONMENT, range),
    queue: {
      missing: async (ids) => ids.filter((id) => !held(id)),
      async add(works) {
        for (const { id } of works) add(id);
      },
      runId: async () => String(run),
    },
    nowMs: () => nowMs,
  });

  async function create(): Promise<string> {
    const id = `vis_${String(created.length).padStart(26, '0')}`;
    const createdAt = new Date(nowMs).toISOString();
    const job: VisualJob = {
      images: [{ url: `https://example.com/${id}.jpg`, angle: 'front', type: 'exterior' }],
      options: {},
      unusable: [],
      requestId: 'req_1',
      simulate: {},
    };
    await counting.blobs.put(id, photoName(0), photo());
    await inspections.create(
      inspection(id, {
        createdAt,
        document: emptyInspection(id, 'veh_1', createdAt),
        meta: {},
        request: job,
      }),
    );
    created.push(id);
    return id;
  }

  /** Starts the next job, up to where the engine has its photos, unless it ends before. */
  async function claim(): Promise<void> {
    const id = waiting.shift();
    if (id === undefined) return;
    active.add(id);
    const controller = new AbortController();
    const reached = new Promise<() => void>((done) => {
      onInspect = done;
    });
    const end = runVisualJob(id, services, controller.signal, false);
    const goOn = await Promise.race([reached, end]);
    const token = tokens.get(id);
    const one = {
      id,
      token,
      controller,
      end,
      goOn: typeof goOn === 'function' ? goOn : () => {},
      holds: true,
    };
    if (typeof goOn === 'function') running.push(one);
    else await settle(one);
  }

  async function settle(one: Running): Promise<void> {
    one.goOn();
    const end = await one.end;
    if (end === 'again') handBack(one);
    else if (one.holds) active.delete(one.id);
  }

  const take = (pick: number): Running | undefined => running.splice(pick % (running.length || 1), 1)[0];
  const happen: Readonly<Record<Event[0], (pick: number) => Promise<void>>> = {
    create: async () => add(await create()),
    'create without the queue': async () => void (await create()),
    claim,
    async finish(pick) {
      const one = take(pick);
      if (one) await settle(one);
    },
    // The process is gone: its analysis never goes on.
    async die(pick) {
      const one = take(pick);
      if (one) handBack(one);
    },
    // Another process has the job from now on, and this one does not know.
    async hang(pick) {
      const one = running[pick % (running.length || 1)];
      if (one) handBack(one);
    },
    async 'lose the lock'(pick) {
      const one = take(pick);
      if (!one) return;
      handBack(one);
      one.controller.abort(LOST);
      await settle(one);
    },
    async stop(pick) {
      const one = take(pick);
      if (!one) return;
      one.controller.abort(STOPPING);
      await settle(one);
      // That is no attempt, unless it was one that others had ended or begun again.
      if (tokens.get(one.id) !== one.token || (await inspections.get(one.id))?.status !== 'processing')
        return;
      started.set(one.id, (started.get(one.id) ?? 0) - 1);
      tokens.delete(one.id);
    },
    async 'lose the queue'() {
      waiting.length = 0;
      active.clear();
      for (const one of running) one.holds = false;
      run++;
    },
    async sweep() {
      nowMs += 31_000;
      await sweep();
    },
    async remove(pick) {
      const id = created[pick % (created.length || 1)];
      if (id === undefined) return;
      removed.add(id);
      await removeInspections(counting, { id });
    },
  };

  return {
    ...{ created, removed, started, stored, counting },
    happen: ([name, pick]: Event) => happen[name](pick),
    /** All processes are well from now on: what is there to do is done. */
    async heal() {
      while (running.length > 0) await happen.finish(0);
      for (let round = 0; round < 5; round++) {
        await happen.sweep(0);
        while (waiting.length > 0 || running.length > 0) {
          await claim();
          await happen.finish(0);
        }
      }
      return { waiting: waiting.length, active: active.size };
    },
    end: () => made.fetcher.close(),
  };
}

async function checkSchedule(store: Store, events: readonly Event[]): Promise<void> {
  const service = await startService(store);
  try {
    for (const event of events) await service.happen(event);
    // What queue and processes held is gone or done, and nothing is left over.
    expect(await service.heal()).toEqual({ waiting: 0, active: 0 });
    expect(await store.inspections.unfinished(ENVIRONMENT)).toEqual([]);

    const { created, removed, started, stored } = service;
    expect(new Set(stored).size, 'results stored twice').toBe(stored.length);
    const kept = created.filter((id) => !removed.has(id));
    expect(
      kept.filter((id) => !stored.includes(id)),
      'lost',
    ).toEqual([]);
    const messages = await store.webhooks.pending(ENVIRONMENT, { endpointId: endpoint.id, limit: 1_000 });
    expect(messages).toHaveLength(kept.length);
    await removeLeftovers(store, { keepPhotos: false });
    const ended = { completed: 0, failed: 0 };
    for (const id of kept) {
      const record = await store.inspections.get(id);
      expect([record?.attempts, record?.status], id).toEqual([
        started.get(id),
        (record?.attempts ?? 0) > ATTEMPTS_MAX ? 'failed' : 'completed',
      ]);
      ended[record?.status as 'completed' | 'failed']++;
      const made = record?.status === 'completed' ? ['annotated-0.jpg', 'report.pdf'] : [];
      const files = made.map((name) => outputName(name, record?.attempts ?? 0));
      expect(await store.blobs.list(id), id).toEqual(files);
    }
    const [day] = await store.usage.days('acc_1', ENVIRONMENT, '2000-01-01', '2999-01-01');
    const counted = stored.filter((id) => removed.has(id)).length;
    expect((day?.inspections ?? 0) + (day?.failed ?? 0)).toBe(ended.completed + ended.failed + counted);
    for (const id of removed) {
      expect(await store.inspections.get(id)).toBeUndefined();
      expect(await store.blobs.list(id)).toEqual([]);
    }
  } finally {
    await service.end();
  }
}

describe('whatever happens to processes and queue', () => {
  let postgres: PostgresServer | undefined;
  let url = '';
  beforeAll(() => {
    if (postgresMissing) return;
    postgres = startPostgres();
    url = postgres.createDatabase();
  });
  afterAll(() => postgres?.stop());

  const openShared = async () => {
    const store = await openPostgresStore({ url, connections: 2, objects: memoryBlobs() });
    await clearDatabase(url);
    return store;
  };
  it.each([
    ['memory', async () => openMemoryStore(), 80, undefined],
    ['postgres', openShared, 20, postgresMissing],
  ] as const)(
    'no work is lost, none is done twice, and attempts are counted: %s',
    async (_name, open, numRuns, missing) => {
      if (missing) return;
      await fc.assert(
        fc.asyncProperty(schedules, async (events) => {
          const store = await open();
          try {
            await checkSchedule(store, events);
          } finally {
            await store.close();
          }
        }),
        { numRuns },
      );
    },
    120_000,
  );
});
