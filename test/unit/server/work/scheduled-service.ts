import { pino } from 'pino';
import { createClock } from '../../../../src/server/clock.ts';
import { runVisualJob } from '../../../../src/server/jobs/run-visual-job.ts';
import { makeEmptyInspection, type VisualJob } from '../../../../src/server/jobs/visual-job.ts';
import { namePhoto } from '../../../../src/server/photo-files.ts';
import { DEFAULT_SETTINGS } from '../../../../src/server/server-settings.ts';
import { createServices } from '../../../../src/server/services.ts';
import type { JobEnd } from '../../../../src/server/work/queue.ts';
import type { Store } from '../../../../src/storage/ports.ts';
import { removeInspections } from '../../../../src/storage/removal.ts';
import { endpoint, inspection } from '../../../helpers/results/stored-records.ts';
import { makeFakeBackend, photo } from '../../../server/helpers/backend.ts';

export const ENVIRONMENT = 'sandbox';

/** What may happen to a service; `pick` chooses which of what is there. */
export const EVENTS = [
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
export type Event = readonly [name: (typeof EVENTS)[number], pick: number];

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
export async function startScheduledService(store: Store) {
  const started = new Map<string, number>();
  const stored: string[] = [];
  const tokens = new Map<string, string>();
  const { inspections } = store;
  const counting: Store = {
    ...store,
    inspections: {
      ...inspections,
      async startAttempt(id, apart) {
        const attempt = await inspections.startAttempt(id, apart);
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
  const backend = makeFakeBackend();
  let onInspect: ((goOn: () => void) => void) | undefined;
  const engine: typeof backend.engine = {
    ...backend.engine,
    async inspect(...asked) {
      await new Promise<void>((goOn) => onInspect?.(goOn));
      return backend.engine.inspect(...asked);
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
    { backend: { ...backend, engine }, store: counting, clock: createClock(), settings },
    { kind: 'work', log },
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
  async function create(): Promise<string> {
    const id = `vis_${String(created.length).padStart(26, '0')}`;
    const createdAt = new Date(nowMs).toISOString();
    const job: VisualJob = {
      images: [{ url: `https://example.com/${id}.jpg`, angle: 'front', type: 'exterior' }],
      options: {},
      unusable: [],
      settings,
      requestId: 'req_1',
      refusableUntilMs: 0,
      simulate: {},
    };
    await counting.blobs.put(id, namePhoto(0), photo());
    await inspections.create(
      inspection(id, {
        createdAt,
        document: makeEmptyInspection({ id, vehicleId: 'veh_1', createdAt }),
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
    const end = runVisualJob(id, services, controller.signal);
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
      await settle(one);
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
