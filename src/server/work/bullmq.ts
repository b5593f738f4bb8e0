import { DelayedError, type Job, Queue, QueueEvents, WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { QueueParts } from '../engines.ts';
import { REQUEST_OPTIONS, type RedisTarget, readInfo, WORK_OPTIONS } from '../redis/connect.ts';
import { LOST, STOPPING, type WorkQueue } from './port.ts';
import { createSweep } from './sweep.ts';
import { createEndWatch } from './watch.ts';

/** How the queue sees to it that work of a dead process is done by another. */
export interface LockTimes {
  /** A process that has not renewed its lock by then has lost the work. */
  readonly lockMs: number;
  readonly stalledCheckMs: number;
  readonly sweepMs: number;
  /** Work younger than this is not put back by the sweep. */
  readonly settledMs: number;
}

export const LOCK_TIMES: LockTimes = {
  lockMs: 30_000,
  stalledCheckMs: 10_000,
  sweepMs: 30_000,
  settledMs: 30_000,
};

const QUEUE = 'inspections';
/** An addition that takes longer is left to the sweep. */
const ADD_MS = 1_000;
const COUNT_MS = 1_000;
/** Attempts are counted with the record, not here. */
const STALLED_MAX = 1_000;
/** Finished work must not keep its id from being added again. */
const JOB_OPTIONS = { removeOnComplete: true, removeOnFail: true } as const;
const SWEEP_LEASE = 'sweep';

/**
 * Hands out work over all processes by BullMQ. A job is the id of a record and nothing else: what there is to do is in the
 * store, and what Redis loses is put back from there. Jobs have the id of their record, so that adding one twice is
 * adding it once.
 */
export function createSharedQueue(
  parts: QueueParts,
  { redis, client, prefix, times }: { redis: RedisTarget; client: Redis; prefix: string; times: LockTimes },
): WorkQueue {
  const { limit, workers, run, services } = parts;
  const queue = new Queue(QUEUE, { connection: { ...redis, ...REQUEST_OPTIONS }, prefix });
  const hearing = new QueueEvents(QUEUE, {
    connection: { ...redis, ...WORK_OPTIONS },
    prefix,
    autorun: false,
  });
  const running = new Map<string, AbortController>();
  const timers: NodeJS.Timeout[] = [];
  let watch: ReturnType<typeof createEndWatch> | undefined;
  let worker: Worker | undefined;
  let counts = { waiting: 0, active: 0, atMs: Number.NEGATIVE_INFINITY };
  /** Places kept since the last count. */
  let reserved = 0;
  let oldestAtMs: number | undefined;
  let stopped = false;

  const soon = <T>(work: Promise<T>): Promise<T> =>
    new Promise((done, failed) => {
      const timer = setTimeout(() => failed(new Error(`no answer within ${ADD_MS} ms`)), ADD_MS).unref();
      work.then(done, failed).finally(() => clearTimeout(timer));
    });

  async function add(ids: readonly string[]): Promise<void> {
    await queue.addBulk(ids.map((id) => ({ name: 'i', data: { id }, opts: { ...JOB_OPTIONS, jobId: id } })));
  }

  async function missing(ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const asked = client.pipeline();
    for (const id of ids) asked.exists(queue.toKey(id));
    const answers = (await asked.exec()) ?? [];
    return ids.filter((_id, i) => {
      const [error, found] = answers[i] ?? [];
      if (error) throw error;
      return found === 0;
    });
  }

  /** Does one job; what cannot be stored comes back later, what is cut off by the end of the process at once. */
  async function work(job: Job, token: string | undefined): Promise<void> {
    const controller = new AbortController();
    const id = String(job.id);
    running.set(id, controller);
    try {
      const end = await run(id, controller.signal);
      if (end === 'ended') return;
      if (controller.signal.reason === STOPPING) {
        await job.moveToWait(token);
        throw new WaitingError();
      }
      await job.moveToDelayed(Date.now() + parts.retryMs, token);
      rest();
      throw new DelayedError();
    } finally {
      running.delete(id);
    }
  }

  /** The store is away: what else waits would end as this did. */
  function rest(): void {
    if (!worker || worker.isPaused() || stopped) return;
    services().log.warn({ seconds: parts.retryMs / 1000 }, 'no work is begun for a while');
    void worker.pause(true);
    setTimeout(() => {
      if (!stopped) void worker?.resume();
    }, parts.retryMs).unref();
  }

  function startWorker(): void {
    const { log } = services();
    worker = new Worker(QUEUE, work, {
      connection: { ...redis, ...WORK_OPTIONS },
      prefix,
      concurrency: workers,
      lockDuration: times.lockMs,
      stalledInterval: times.stalledCheckMs,
      maxStalledCount: STALLED_MAX,
      autorun: true,
    });
    worker.on('error', (err) => log.warn({ reason: err.message }, 'queue'));
    worker.on('lockRenewalFailed', (ids) => {
      for (const id of ids) running.get(id)?.abort(LOST);
    });
  }

  async function sweepByTurns(): Promise<void> {
    const { store, settings, self, log, clock, metrics } = services();
    const sweep = createSweep({
      inspections: store.inspections,
      environment: settings.environment,
      queue: {
        missing,
        add,
        runId: async () => readInfo(await client.info('server'), 'run_id') ?? '',
      },
      nowMs: clock.wallMs,
      settledMs: times.settledMs,
    });
    let sweeping = false;
    const turn = async () => {
      if (!(await store.leases.take(SWEEP_LEASE, self.id, 2 * times.sweepMs))) return;
      const putBack = await sweep();
      metrics.putBack.inc(putBack);
      if (putBack > 0) log.warn({ inspections: putBack }, 'work was put back that the queue had lost');
    };
    const timer = setInterval(() => {
      if (sweeping || stopped) return;
      sweeping = true;
      turn()
        .catch((error: Error) => log.warn({ reason: error.message }, 'sweep'))
        .finally(() => {
          sweeping = false;
        });
    }, times.sweepMs);
    timers.push(timer.unref());
  }

  /** How much waits and runs over all processes; by the records while Redis is away. */
  async function count(): Promise<void> {
    const { store, settings } = services();
    const kept = reserved;
    try {
      const found = await soon(queue.getJobCounts('waiting', 'prioritized', 'delayed', 'active'));
      const { waiting = 0, prioritized = 0, delayed = 0, active = 0 } = found;
      counts = { waiting: waiting + prioritized + delayed, active, atMs: Date.now() };
      const [first] = await soon(queue.getJobs(['waiting'], 0, 0, true));
      oldestAtMs = first?.timestamp;
    } catch {
      const facts = await store.facts(settings.environment);
      const processing = facts.inspections.filter(({ status }) => status === 'processing');
      counts = { waiting: processing.reduce((sum, one) => sum + one.count, 0), active: 0, atMs: Date.now() };
    }
    reserved = Math.max(0, reserved - kept);
  }

  return {
    reserve() {
      if (stopped || counts.waiting + counts.active + reserved >= limit) return undefined;
      reserved++;
      let open = true;
      return {
        async submit(id) {
          open = false;
          const ended = watch?.wait(id) ?? Promise.resolve();
          await soon(add([id])).catch((error: Error) => {
            services().log.warn({ inspection: id, reason: error.message }, 'left to the sweep');
          });
          await ended;
        },
        cancel() {
          if (open) reserved = Math.max(0, reserved - 1);
          open = false;
        },
      };
    },
    async start() {
      const { store, log } = services();
      watch = createEndWatch(store.inspections);
      queue.on('error', (err) => log.debug({ reason: err.message }, 'queue'));
      hearing.on('error', (err) => log.debug({ reason: err.message }, 'queue'));
      hearing.on('completed', ({ jobId }) => watch?.hint(jobId));
      void hearing.run().catch(() => undefined);
      const counting = () =>
        void count().catch((error: Error) => log.warn({ reason: error.message }, 'queue count'));
      timers.push(setInterval(counting, COUNT_MS).unref());
      await count().catch(() => undefined);
      if (workers === 0) return;
      startWorker();
      await sweepByTurns();
    },
    get waiting() {
      return counts.waiting;
    },
    get running() {
      return counts.active;
    },
    limit,
    oldestWaitMs: () => (oldestAtMs === undefined ? 0 : Math.max(0, Date.now() - oldestAtMs)),
    async drain() {
      stopped = true;
      for (const timer of timers) clearInterval(timer);
      watch?.close();
      // Running work has so long to end; then it is given back, and another process begins it again.
      const grace = setTimeout(() => {
        for (const controller of running.values()) controller.abort(STOPPING);
      }, parts.graceMs).unref();
      await worker?.close();
      clearTimeout(grace);
      await Promise.all([hearing.close(), queue.close()]);
    },
  };
}
