import { DelayedError, type Job, Queue, WaitingError, Worker } from 'bullmq';
import type { FastifyBaseLogger } from 'fastify';
import pLimit from 'p-limit';
import type { QueueTarget } from '../redis/queue-connections.ts';
import type { Services } from '../services.ts';
import { type JobEnd, LOST, STOPPING } from './port.ts';

/** Practically unlimited: the record counts attempts, not BullMQ. */
const MAX_STALLED = 1_000;
/** A finished job must not block its id from being added again. */
const JOB_OPTIONS = { removeOnComplete: true, removeOnFail: true } as const;

const REORDER_CONCURRENCY = 100;

/**
 * Opens a queue for adding jobs. BullMQ reads the server version once, and a queue whose version query was interrupted
 * never responds again; `connectRedis` has already checked the version.
 */
const openQueue = (name: string, { connections, prefix }: Pick<QueueTarget, 'connections' | 'prefix'>) =>
  new Queue(name, { connection: connections.request, prefix, skipVersionCheck: true });

/** One BullMQ queue with its worker in this process. */
export interface Lane {
  readonly queue: Queue;
  /** Adds jobs by record id; the smallest priority value runs first. Existing jobs are left unchanged. */
  add(jobs: readonly { readonly id: string; readonly priority: number }[]): Promise<void>;
  /** Changes the priority of waiting jobs. */
  reorder(jobs: readonly { readonly id: string; readonly priority: number }[]): Promise<void>;
  /** Starts processing up to `concurrency` jobs in parallel. */
  start(
    concurrency: number,
    run: (id: string, signal: AbortSignal, priority: number) => Promise<Exclude<JobEnd, 'quarantine'>>,
    services: Pick<Services, 'log' | 'metrics'>,
  ): void;
  /** Ids of the jobs running in this process. */
  readonly running: readonly string[];
  /** Starts one job beyond `concurrency`; to be called if all workers are busy. */
  startExtraJob(): void;
  /** Aborts the running jobs and returns them to the queue. */
  releaseJobs(): void;
  /** Resolves once the running jobs have ended. */
  close(): Promise<void>;
}

/** Creates a lane: one BullMQ queue with its worker. */
export function createLane(
  name: string,
  { connections, prefix, timing, retryMs }: Omit<QueueTarget, 'client'> & { retryMs: number },
): Lane {
  const queue = openQueue(name, { connections, prefix });
  const running = new Map<string, { readonly controller: AbortController; readonly end: Promise<JobEnd> }>();
  let worker: Worker | undefined;
  let workers = 0;
  let isClosed = false;

  /** Pauses the worker while the store is unreachable, because other jobs would fail in the same way. */
  function pauseAfterFailure(log: FastifyBaseLogger): void {
    if (!worker || worker.isPaused() || isClosed) return;
    log.warn({ queue: name, seconds: retryMs / 1000 }, 'paused: the store is unavailable');
    void worker.pause(true);
    setTimeout(() => {
      if (!isClosed) void worker?.resume();
    }, retryMs).unref();
  }

  return {
    queue,
    async add(jobs) {
      await queue.addBulk(
        jobs.map(({ id, priority }) => ({
          name: 'inspection',
          data: null,
          opts: { ...JOB_OPTIONS, jobId: id, priority },
        })),
      );
    },
    async reorder(jobs) {
      const limit = pLimit(REORDER_CONCURRENCY);
      const reorderJob = async ({ id, priority }: (typeof jobs)[number]) => {
        const job = await queue.getJob(id);
        // A job that has started or ended since has no priority to change.
        if (job && job.priority !== priority) await job.changePriority({ priority }).catch(() => undefined);
      };
      await limit.map(jobs, reorderJob).finally(() => limit.clearQueue());
    },
    start(concurrency, run, { log, metrics }) {
      workers = concurrency;
      /** Runs one job; it is delayed if its outcome cannot be stored, and requeued immediately if the process stops. */
      const processJob = async (job: Job, token: string | undefined): Promise<void> => {
        const controller = new AbortController();
        const id = String(job.id);
        const end = run(id, controller.signal, job.priority);
        running.set(id, { controller, end });
        if (worker && running.size > workers) worker.concurrency = workers;
        if ((await end.finally(() => running.delete(id))) === 'ended') return;
        if (controller.signal.reason === STOPPING) {
          await job.moveToWait(token);
          throw new WaitingError();
        }
        await job.moveToDelayed(Date.now() + retryMs, token);
        pauseAfterFailure(log);
        throw new DelayedError();
      };
      worker = new Worker(name, processJob, {
        connection: connections.work,
        prefix,
        concurrency,
        lockDuration: timing.lockMs,
        stalledInterval: timing.stalledCheckMs,
        maxStalledCount: MAX_STALLED,
        autorun: true,
      });
      worker.on('error', (err) => log.warn({ reason: err.message }, 'queue'));
      worker.on('stalled', () => metrics.stalled.inc({ queue: name }));
      worker.on('lockRenewalFailed', (ids) => {
        metrics.locksLost.inc({ queue: name }, ids.length);
        for (const id of ids) running.get(id)?.controller.abort(LOST);
      });
    },
    get running() {
      return [...running.keys()];
    },
    startExtraJob() {
      if (!worker || worker.isPaused() || isClosed) return;
      worker.concurrency = workers + 1;
      // A worker at its limit fetches another job only on resuming from a pause.
      void worker.pause(true);
      void worker.resume();
    },
    releaseJobs() {
      for (const { controller } of running.values()) controller.abort(STOPPING);
    },
    async close() {
      isClosed = true;
      if (worker)
        await connections.close(worker, Promise.allSettled([...running.values()].map(({ end }) => end)));
      await connections.close(queue);
    },
  };
}
