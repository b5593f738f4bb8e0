import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPostgresBackend, DelayedError, type Job, Queue, Worker } from 'bullmq';
import { MINUTE_MS } from '../../lib/durations.ts';
import { computeCost } from '../../storage/fair-order.ts';
import { findNoSlot, mayStartExtra, toPriority } from './order.ts';
import type { JobEnd, QueueCounts, QueueParts, RunJob, WorkQueue } from './queue.ts';

/** Times of a shared queue; tests use shorter ones. */
const QUEUE_TIMING = {
  /** Time after which another process takes over the job of an unresponsive one. */
  lockMs: 30_000,
  /** Interval at which stored jobs missing from the queue are added, and their minimum age. */
  missingMs: MINUTE_MS,
  /** Interval at which the jobs of all processes are counted. */
  countMs: 1_000,
};

/** Schema of the queue's tables, next to those of the service. */
const QUEUE_SCHEMA = 'vehi_queue';
/** Interval between queries for the records that requests are waiting for. */
const END_INTERVAL_MS = 250;
/** Time limit for closing connections to a database that may be unreachable. */
const CLOSE_MS = 5_000;
const MAX_MISSING = 1_000;
/** Practically unlimited, because attempts are counted in the record. */
const UNLIMITED = 1_000_000;

/** A job of BullMQ; it carries only its account. */
type QueueJob = Job<{ readonly accountId: string }>;

interface QueuedJob {
  readonly id: string;
  readonly accountId: string;
  readonly tag: number | null | undefined;
}

const makeConnection = (url: string, max: number) => ({
  connectionString: url,
  schema: QUEUE_SCHEMA,
  max,
  keepAlive: true,
  connectionTimeoutMillis: 5_000,
  query_timeout: 15_000,
  application_name: 'vehi',
});

/** Logs failures, each reason once a minute: while the database is down, every timer and connection fails repeatedly. */
export function createFailureLog(log: QueueParts['log']) {
  const recent = new Set<string>();
  return ({ message: reason }: Error) => {
    if (recent.has(reason)) return;
    recent.add(reason);
    setTimeout(() => recent.delete(reason), MINUTE_MS).unref();
    log.warn({ reason }, 'the queue failed');
  };
}

/** Creates or migrates the tables of the queue. @throws of `pg` if the database cannot be used */
export async function migrateQueue(url: string): Promise<void> {
  const queue = new Queue(
    'migration',
    { connection: { ...makeConnection(url, 1), migrate: true } },
    createPostgresBackend,
  );
  queue.on('error', () => undefined);
  try {
    await queue.waitUntilReady();
  } finally {
    await queue.close();
  }
}

/**
 * Distributes jobs over all processes through BullMQ in the service's database. A record's id is the id of its job,
 * which makes adding idempotent; the record is authoritative, and a job that was not added is added within a minute.
 * @param url address of the database, whose queue tables exist (`migrateQueue`)
 */
export function createSharedQueue(parts: QueueParts, url: string, timing = QUEUE_TIMING): WorkQueue {
  const { settings, clock, log } = parts;
  const { environment, queueLimit: limit, workers } = settings;
  const { inspections } = parts.store;
  const queue = new Queue(
    environment,
    {
      connection: makeConnection(url, 2),
      // A finished job must not block its id from being added again.
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
      streams: { events: { maxLen: 100 } },
    },
    createPostgresBackend,
  );
  const stopping = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const reservations = new Set<{ readonly accountId: string }>();
  /** Requests waiting for the end of a job, by job id. */
  const waiters = new Map<string, () => void>();
  /** Accounts and ends of the jobs that run in this process. */
  const running = new Map<string, { readonly accountId: string; readonly end: Promise<JobEnd> }>();
  let worker: ReturnType<typeof startWorker> | undefined;
  let run: RunJob = async () => 'again';
  let counts: QueueCounts = { waiting: 0, running: 0, delayed: 0, oldestWaitMs: 0 };
  /** Number of jobs submitted since the last count. */
  let submitted = 0;
  let isStopped = false;
  const warn = createFailureLog(log);

  const add = (jobs: readonly QueuedJob[]) =>
    queue.addBulk(
      jobs.map(({ id, accountId, tag }) => ({
        name: 'inspection',
        data: { accountId },
        opts: { jobId: id, priority: toPriority(tag) },
      })),
    );

  /** Adds stored jobs whose process died before adding them; existing ones are left unchanged. */
  async function addMissing(): Promise<void> {
    const createdBefore = new Date(clock.wallMs() - timing.missingMs).toISOString();
    await add(await inspections.listUnfinished(environment, { createdBefore, limit: MAX_MISSING }));
  }

  async function count(): Promise<void> {
    const before = submitted;
    const [{ prioritized = 0, waiting = 0, delayed = 0, active: running = 0 }, [oldest]] = await Promise.all([
      queue.getJobCounts('prioritized', 'waiting', 'delayed', 'active'),
      inspections.listUnfinished(environment, { isWaiting: true, limit: 1 }),
    ]);
    const oldestWaitMs = oldest ? Math.max(0, clock.wallMs() - Date.parse(oldest.createdAt)) : 0;
    counts = { waiting: prioritized + waiting + delayed, running, delayed, oldestWaitMs };
    submitted -= before;
  }

  async function resolveEnded(): Promise<void> {
    if (waiters.size === 0) return;
    for (const id of await inspections.filterNotProcessing([...waiters.keys()])) {
      waiters.get(id)?.();
      waiters.delete(id);
    }
  }

  async function process(job: QueueJob): Promise<JobEnd> {
    const id = String(job.id);
    const end = run(id, stopping.signal);
    running.set(id, { accountId: job.data.accountId, end });
    return end.finally(() => running.delete(id));
  }

  const delay = (job: Job, token: string | undefined) =>
    job.moveToDelayed(Date.now() + (isStopped ? 0 : settings.jobRetryMs), token);

  const startWorker = () =>
    new Worker(
      environment,
      async (job, token) => {
        if ((await process(job)) === 'ended') return;
        await delay(job, token);
        throw new DelayedError();
      },
      {
        connection: makeConnection(url, 3),
        concurrency: workers,
        lockDuration: timing.lockMs,
        stalledInterval: timing.lockMs / 3,
        maxStalledCount: UNLIMITED,
      },
      createPostgresBackend,
    );

  /**
   * Runs the next job in line in addition to those of another account that occupies all workers of this process. Taking
   * a job further back would exceed its account's share.
   */
  async function startExtra(): Promise<void> {
    if (!worker || isStopped || running.size !== workers) return;
    const accounts = () => [...running.values()].map(({ accountId }) => accountId);
    const [next] = await queue.getJobs(['prioritized'], 0, 0, true);
    if (!next || running.size !== workers || !mayStartExtra(next.data.accountId, accounts())) return;
    const token = randomUUID();
    const job = (await worker.getNextJob(token, { block: false })) as QueueJob | undefined;
    if (!job) return;
    const renewal = setInterval(
      () => void job.extendLock(token, timing.lockMs).catch(warn),
      timing.lockMs / 3,
    ).unref();
    void process(job)
      .then((end) => (end === 'ended' ? job.moveToCompleted(null, token, false) : delay(job, token)))
      .catch(warn)
      .finally(() => clearInterval(renewal));
  }

  /** Repeats a task, one run at a time. */
  function repeat(task: () => Promise<unknown>, ms: number): void {
    let isBusy = false;
    const tick = () => {
      if (isBusy) return;
      isBusy = true;
      void task()
        .catch(warn)
        .finally(() => {
          isBusy = false;
        });
    };
    timers.push(setInterval(tick, ms).unref());
  }

  return {
    async reserve(accountId, load) {
      if (isStopped) return { refused: 'stopped' };
      const held = counts.waiting + counts.running + submitted + reservations.size;
      const open = [...reservations].filter((one) => one.accountId === accountId).length;
      const refusal = findNoSlot(limit, held, open);
      if (refusal) return refusal;
      // Reserved before the store is queried, so concurrent creations cannot exceed the limit.
      const reservation = { accountId };
      reservations.add(reservation);
      const cancel = () => void reservations.delete(reservation);
      const unfinished = await inspections.countUnfinished(accountId, environment, limit).catch((error) => {
        cancel();
        throw error;
      });
      const laterRefusal = findNoSlot(limit, held, unfinished + open);
      if (laterRefusal) cancel();
      return (
        laterRefusal ?? {
          cost: computeCost(load),
          cancel,
          async submit(id, tag) {
            cancel();
            submitted++;
            const end = new Promise<void>((resolve) => {
              waiters.set(id, resolve);
            });
            await add([{ id, accountId, tag }]).catch(warn);
            await end;
          },
        }
      );
    },
    async start(runJob) {
      run = runJob;
      queue.setMaxListeners(0).on('error', warn);
      await queue.waitUntilReady();
      await count();
      repeat(() => Promise.all([count(), startExtra()]), timing.countMs);
      repeat(resolveEnded, END_INTERVAL_MS);
      if (workers === 0) return;
      repeat(addMissing, timing.missingMs);
      worker = startWorker();
      worker.on('error', warn);
    },
    getCounts: () => counts,
    limit,
    async drain() {
      isStopped = true;
      for (const [id, resolve] of waiters) if (!running.has(id)) resolve();
      // Jobs still running after the grace period are reverted, so that another process restarts them.
      const grace = setTimeout(() => stopping.abort(), settings.workGraceMs).unref();
      const closed = worker?.close();
      await Promise.allSettled([...running.values()].map(({ end }) => end));
      clearTimeout(grace);
      await Promise.race([closed, sleep(CLOSE_MS, undefined, { ref: false })]);
      await resolveEnded().catch(warn);
      for (const timer of timers) clearInterval(timer);
      for (const resolve of waiters.values()) resolve();
      await Promise.race([queue.close(), sleep(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}
