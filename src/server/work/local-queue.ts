import { computeCost, computeTag } from '../../storage/fair-order.ts';
import { findNoSlot, mayStartExtra } from './order.ts';
import type { JobEnd, QueueParts, RunJob, WorkQueue } from './queue.ts';

interface Job {
  readonly id: string;
  readonly accountId: string;
  /** Time at which the job last became `waiting`, on the monotonic clock. */
  waitsSinceMs: number;
  readonly resolve: () => void;
  readonly tag: number;
  state: 'waiting' | 'running' | 'delayed';
}

/** Cost of a job left by an earlier process: its account's plan is unknown, so all accounts weigh the same. */
const RESUMED_COST = computeCost({ photos: 4, weight: 1 });

/**
 * Creates the queue of a service whose process is the only one on its store; it resumes all unfinished jobs. Accounts
 * take turns in proportion to their weights. If one account occupies all workers and the next job in line is another
 * account's, that job starts in addition.
 */
export function createLocalQueue({
  settings: { environment, queueLimit: limit, workers, jobRetryMs },
  store: { inspections },
}: Pick<QueueParts, 'settings' | 'store'>): WorkQueue {
  // Never aborted: no other process can take over a job of this store.
  const { signal } = new AbortController();
  const jobs = new Set<Job>();
  const reservations = new Set<{ readonly accountId: string }>();
  let run: RunJob | undefined;
  let isStopped = false;
  let onIdle: (() => void) | undefined;
  const pickTag = (pick: (...tags: number[]) => number, isSelected: (job: Job) => boolean) => {
    const tags = [...jobs].filter(isSelected).map(({ tag }) => tag);
    return tags.length === 0 ? null : pick(...tags);
  };
  const list = (state: Job['state']) => [...jobs].filter((job) => job.state === state);

  /** Returns the waiting job that may start now, the one with the smallest tag. */
  function findNext(): Job | undefined {
    const busy = list('running').map(({ accountId }) => accountId);
    const [next] = list('waiting').sort((a, b) => a.tag - b.tag);
    if (!next || busy.length < workers) return next;
    return busy.length === workers && mayStartExtra(next.accountId, busy) ? next : undefined;
  }

  function startJobs(): void {
    for (let job = findNext(); job && run && !isStopped && workers > 0; job = findNext()) {
      const started = job;
      started.state = 'running';
      void run(started.id, signal).then((end) => finish(started, end));
    }
    if (list('running').length === 0) onIdle?.();
  }

  function finish(job: Job, end: JobEnd): void {
    job.resolve();
    jobs.delete(job);
    if (end === 'again' && !isStopped) {
      jobs.add(job);
      job.state = 'delayed';
      setTimeout(() => {
        job.state = 'waiting';
        job.waitsSinceMs = performance.now();
        startJobs();
      }, jobRetryMs).unref();
    }
    startJobs();
  }

  const add = (id: string, accountId: string, cost: number) =>
    new Promise<void>((resolve) => {
      const tags = {
        own: pickTag(Math.max, (job) => job.accountId === accountId),
        started: pickTag(Math.max, ({ state }) => state === 'running'),
        next: pickTag(Math.min, ({ state }) => state !== 'running'),
      };
      const tag = computeTag(tags, cost);
      jobs.add({ id, accountId, tag, waitsSinceMs: performance.now(), resolve, state: 'waiting' });
      startJobs();
    });

  return {
    async reserve(accountId, load) {
      if (isStopped) return { refused: 'stopped' };
      const held = [...jobs, ...reservations];
      const heldByAccount = held.filter((one) => one.accountId === accountId).length;
      const refusal = findNoSlot(limit, held.length, heldByAccount);
      if (refusal) return refusal;
      const reservation = { accountId };
      reservations.add(reservation);
      const cost = computeCost(load);
      return {
        cost,
        submit(id) {
          reservations.delete(reservation);
          return add(id, accountId, cost);
        },
        cancel: () => void reservations.delete(reservation),
      };
    },
    async start(runJob) {
      run = runJob;
      // Jobs interrupted most often come last, so repeated crashes do not hit the same job each time.
      const unfinished = await inspections.listUnfinished(environment);
      unfinished.sort((a, b) => a.attempts - b.attempts);
      for (const { id, accountId } of unfinished) void add(id, accountId, RESUMED_COST);
    },
    getCounts() {
      const running = list('running').length;
      const oldestMs = Math.min(...list('waiting').map(({ waitsSinceMs }) => waitsSinceMs));
      return {
        waiting: jobs.size - running,
        running,
        delayed: list('delayed').length,
        // Without a waiting job, the minimum is infinite.
        oldestWaitMs: Math.max(0, performance.now() - oldestMs),
      };
    },
    limit,
    async drain() {
      isStopped = true;
      for (const job of jobs) {
        if (job.state === 'running') continue;
        job.resolve();
        jobs.delete(job);
      }
      if (jobs.size === 0) return;
      await new Promise<void>((resolve) => {
        onIdle = resolve;
      });
    },
  };
}
