// @module-tag slow: dozens of schedules over two stores

import fc from 'fast-check';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createClock } from '../../../../src/server/clock.ts';
import { sweepLeftovers } from '../../../../src/server/jobs/leftovers.ts';
import { runVisualJob } from '../../../../src/server/jobs/run-visual-job.ts';
import { makeEmptyInspection, nameOutput, type VisualJob } from '../../../../src/server/jobs/visual-job.ts';
import { namePhoto } from '../../../../src/server/photo-files.ts';
import { createServices } from '../../../../src/server/services.ts';
import type { JobEnd } from '../../../../src/server/work/queue.ts';
import type { Store } from '../../../../src/storage/ports.ts';
import { removeInspections } from '../../../../src/storage/removal.ts';
import { openTemporaryStore } from '../../../../src/storage/sqlite/store.ts';
import { endpoint, inspection } from '../../../helpers/results/stored-records.ts';
import { useEmptyPostgres } from '../../../helpers/services/empty-store.ts';
import { postgresMissing } from '../../../helpers/services/postgres.ts';
import { makeFakeBackend, photo } from '../../../server/helpers/backend.ts';
import { STAND_IN_SETTINGS } from '../../../server/helpers/stand-in.ts';

const ENVIRONMENT = 'sandbox';

/** What may happen to a service; `pick` chooses which of what is there. */
const EVENTS = [
  'create',
  'claim',
  'claim',
  'finish',
  'finish',
  'die',
  'hang',
  'stop',
  'lose the queue',
  'sweep',
  'remove',
] as const;
type Event = readonly [name: (typeof EVENTS)[number], pick: number];

/** An analysis under way in some process. */
interface Running {
  readonly id: string;
  readonly controller: AbortController;
  readonly end: Promise<JobEnd>;
  readonly goOn: () => void;
  /** Of its attempt. */
  readonly token: string | undefined;
  /** Its process has the job by what the queue knows. */
  holds: boolean;
}

/** A service whose analyses go on when the schedule says so, over a queue that keeps each id once, as BullMQ does. */
async function startScheduledService(store: Store) {
  const started = new Map<string, number>();
  const stored: string[] = [];
  const tokens = new Map<string, string>();
  const { inspections } = store;
  const { startAttempt, finish } = inspections;
  Object.assign(inspections, {
    async startAttempt(id: string, apart?: boolean) {
      const attempt = await startAttempt(id, apart);
      if (!attempt) return;
      started.set(id, (started.get(id) ?? 0) + 1);
      tokens.set(id, attempt.token);
      return attempt;
    },
    async finish(...args: Parameters<typeof finish>) {
      const done = await finish(...args);
      if (done) stored.push(args[0]);
      return done;
    },
  });
  const backend = makeFakeBackend();
  let onInspect: ((goOn: () => void) => void) | undefined;
  const engine: typeof backend.engine = {
    ...backend.engine,
    async inspect(...asked) {
      await new Promise<void>((goOn) => onInspect?.(goOn));
      return backend.engine.inspect(...asked);
    },
  };
  const settings = { ...STAND_IN_SETTINGS, keepViewsDays: 0 };
  const made = await createServices(
    { backend: { ...backend, engine }, store, clock: createClock(), settings },
    { kind: 'work', log: pino({ level: 'silent' }) },
  );
  const services = { ...made, dispatcher: { ...made.dispatcher, wake: () => undefined } };
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
  const held = (id: string) => waiting.includes(id) || active.has(id);
  const add = (id: string) => void (held(id) || waiting.push(id));
  const handBack = (one: Running) => {
    if (!one.holds) return;
    one.holds = false;
    if (active.delete(one.id)) add(one.id);
  };
  /** Starts the next job, up to where the engine has its photos, unless it ends before. */
  async function claim(): Promise<void> {
    const id = waiting.shift();
    if (id === undefined) return;
    active.add(id);
    const controller = new AbortController();
    const reached = new Promise<() => void>((done) => {
      onInspect = done;
    });
    const end = runVisualJob(id, services, controller.signal);
    const goOn = await Promise.race([reached, end]);
    const one = { id, token: tokens.get(id), controller, end, holds: true };
    if (typeof goOn === 'function') running.push({ ...one, goOn });
    else await settle({ ...one, goOn: () => {} });
  }

  async function settle(one: Running): Promise<void> {
    one.goOn();
    const end = await one.end;
    if (end === 'again') handBack(one);
    else if (one.holds) active.delete(one.id);
  }

  const take = (pick: number): Running | undefined => running.splice(pick % (running.length || 1), 1)[0];
  const happen: Readonly<Record<Event[0], (pick: number) => Promise<void>>> = {
    async create() {
      const id = `vis_${String(created.length).padStart(26, '0')}`;
      const createdAt = new Date(nowMs).toISOString();
      const request: VisualJob = {
        images: [{ url: `https://example.com/${id}.jpg`, angle: 'front', type: 'exterior' }],
        options: {},
        unusable: [],
        settings,
        requestId: 'req_1',
        refusableUntilMs: 0,
        simulate: {},
      };
      await store.blobs.put(id, namePhoto(0), photo());
      const document = makeEmptyInspection({ id, vehicleId: 'veh_1', createdAt });
      await inspections.create(inspection(id, { createdAt, document, meta: {}, request }));
      created.push(id);
      add(id);
    },
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
    async stop(pick) {
      const one = take(pick);
      if (!one) return;
      one.controller.abort();
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
    },
    async sweep() {
      nowMs += 31_000;
      for (const { id } of await inspections.listUnfinished(ENVIRONMENT)) add(id);
    },
    async remove(pick) {
      const id = created[pick % (created.length || 1)];
      if (id === undefined) return;
      removed.add(id);
      await removeInspections(store, { id });
    },
  };

  return {
    created,
    removed,
    started,
    stored,
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

/** Work that is cut off with its process is put back so often; then it fails. */
const PUT_BACK_MAX = 10;

const schedules = fc.array(fc.tuple(fc.constantFrom(...EVENTS), fc.nat(1_000)), {
  minLength: 20,
  maxLength: 60,
  size: 'max',
});

async function checkSchedule(store: Store, events: readonly Event[]): Promise<void> {
  const service = await startScheduledService(store);
  try {
    for (const event of events) await service.happen(event);
    // What queue and processes held is gone or done, and nothing is left over.
    expect(await service.heal()).toEqual({ waiting: 0, active: 0 });
    expect(await store.inspections.listUnfinished(ENVIRONMENT)).toEqual([]);

    const { created, removed, started, stored } = service;
    expect(new Set(stored).size, 'results stored twice').toBe(stored.length);
    const kept = created.filter((id) => !removed.has(id));
    expect(
      kept.filter((id) => !stored.includes(id)),
      'lost',
    ).toEqual([]);
    const { messages } = await store.webhooks.listMessages(endpoint.id, 1_000, 0);
    expect(messages).toHaveLength(kept.length);
    await sweepLeftovers(store);
    for (const id of kept) {
      const record = await store.inspections.get(id);
      expect([record?.attempts, record?.status], id).toEqual([
        started.get(id),
        (record?.attempts ?? 0) > PUT_BACK_MAX ? 'failed' : 'completed',
      ]);
      const made = record?.status === 'completed' ? ['annotated-0.jpg', 'report.pdf'] : [];
      const files = made.map((name) => nameOutput(name, record?.attempts ?? 0));
      expect(await store.blobs.list(id), id).toEqual(files);
    }
    for (const id of removed) {
      expect(await store.inspections.get(id)).toBeUndefined();
      expect(await store.blobs.list(id)).toEqual([]);
    }
  } finally {
    await service.end();
  }
}

for (const [name, open, numRuns, missing] of [
  ['memory', async () => openTemporaryStore(), 15, undefined],
  ['postgres', useEmptyPostgres(), 5, postgresMissing],
] as const) {
  it.skipIf(missing)(
    `whatever happens, no work is lost, none is done twice, and attempts are counted: ${name}`,
    async () => {
      const hold = async (events: readonly Event[]) => {
        const store = await open();
        try {
          await checkSchedule(store, events);
        } finally {
          await store.close();
        }
      };
      await fc.assert(fc.asyncProperty(schedules, hold), { numRuns });
    },
    120_000,
  );
}
