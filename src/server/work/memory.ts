import type { QueueParts } from '../services.ts';
import { computeCost, createFairOrder, type Share } from './fair-order.ts';
import { createPace } from './pace.ts';
import type { JobEnd, NoSlot, Slot, WorkQueue } from './port.ts';

interface Job {
  readonly id: string;
  readonly accountId: string;
  readonly tag: number;
  readonly cost: number;
  readonly sinceMs: number;
  readonly done: () => void;
}

/** Share of a job left by an earlier process: its plan is unknown, so all accounts weigh the same. */
const RESUMED_SHARE: Share = { photos: 4, weight: 1 };

/** Fraction of the slots guaranteed to every account even while others fill the queue. */
const GUARANTEED_SHARE = 1 / 10;

/**
 * Creates the queue of a service whose process is the only one on its store; it resumes all unfinished jobs. An account
 * that holds fewer than a tenth of the slots gets one even if others have filled the queue (up to twice its limit).
 * Accounts take turns in proportion to their weights. If one account occupies all workers and it is another's turn,
 * that job starts anyway and shares the threads, so no account waits for the end of a large job.
 */
export function createMemoryQueue(
  options: Pick<QueueParts, 'limit' | 'workers' | 'retryMs' | 'run' | 'unfinished'> & {
    nowMs?: () => number;
  },
): WorkQueue {
  const { limit, nowMs = () => performance.now() } = options;
  // Never aborted: no other process can take over a job of this store.
  const { signal } = new AbortController();
  const retries = new Set<NodeJS.Timeout>();
  const guaranteed = Math.max(1, Math.floor(limit * GUARANTEED_SHARE));
  /** Waiting jobs by account, sorted by tag. */
  const waiting = new Map<string, Job[]>();
  const order = createFairOrder();
  const pace = createPace(nowMs);
  const slotsByAccount = new Map<string, number>();
  /** Jobs waiting for quarantine, which runs one at a time. */
  const quarantineQueue: Job[] = [];
  const running = new Set<Job>();
  const runningInQuarantine = new Set<Job>();
  let places = 0;
  let stopped = false;
  let onIdle: (() => void) | undefined;

  const countSlots = (accountId: string, change: 1 | -1) => {
    const now = (slotsByAccount.get(accountId) ?? 0) + change;
    if (now > 0) slotsByAccount.set(accountId, now);
    else slotsByAccount.delete(accountId);
    places += change;
  };

  /**
   * Takes the waiting job with the smallest tag. On equal tags an account without running jobs comes first, then the
   * longest wait. Returns undefined if no job may start.
   */
  function takeNext(): Job | undefined {
    const busy = new Set([...running].map(({ accountId }) => accountId));
    let first: Job | undefined;
    for (const [job] of waiting.values() as Iterable<[Job]>) {
      const isEqual = job.tag === first?.tag && busy.has(first.accountId) && !busy.has(job.accountId);
      if (!first || job.tag < first.tag || isEqual) first = job;
    }
    if (!first || (running.size >= options.workers && !mayStartExtra(first))) return undefined;
    const own = waiting.get(first.accountId);
    own?.shift();
    if (own?.length === 0) waiting.delete(first.accountId);
    order.markStarted(first.tag);
    if (waiting.size === 0) order.forget();
    return first;
  }

  /** True if only other accounts' jobs run, one of them larger or from an account with more jobs waiting. */
  function mayStartExtra({ accountId, cost }: Job): boolean {
    const others = [...running].filter((one) => one.accountId !== accountId);
    return (
      others.length === running.size && others.some((one) => waiting.has(one.accountId) || one.cost > cost)
    );
  }

  function handleEnd(job: Job, end: JobEnd): void {
    if (end === 'quarantine' && !stopped) {
      quarantineQueue.push(job);
      return;
    }
    if (end === 'again') retryLater(job);
    else pace.count();
    countSlots(job.accountId, -1);
    job.done();
  }

  function start(job: Job, among: Set<Job>): void {
    among.add(job);
    void options.run(job.id, signal, among === runningInQuarantine).then((end) => {
      among.delete(job);
      handleEnd(job, end);
      startJobs();
    });
  }

  function startJobs(): void {
    while (!stopped && options.workers > 0 && running.size <= options.workers) {
      const job = takeNext();
      if (!job) break;
      start(job, running);
    }
    const job = !stopped && runningInQuarantine.size === 0 ? quarantineQueue.shift() : undefined;
    if (job) start(job, runningInQuarantine);
    if (running.size + runningInQuarantine.size === 0) onIdle?.();
  }

  function retryLater({ id, accountId }: Job): void {
    if (stopped) return;
    const timer = setTimeout(() => {
      retries.delete(timer);
      resume(id, accountId);
    }, options.retryMs).unref();
    retries.add(timer);
  }

  /** Requeues a job that was accepted earlier, even beyond the limit. */
  function resume(id: string, accountId: string): void {
    countSlots(accountId, 1);
    void add(id, accountId, computeCost(RESUMED_SHARE));
  }

  const add = (id: string, accountId: string, cost: number) =>
    new Promise<void>((done) => {
      const job = { id, accountId, tag: order.next(accountId, cost), cost, sinceMs: nowMs(), done };
      const own = waiting.get(accountId);
      if (own) own.push(job);
      else waiting.set(accountId, [job]);
      startJobs();
    });

  const listWaiting = () => [...[...waiting.values()].flat(), ...quarantineQueue];

  return {
    async reserve(accountId, share): Promise<Slot | NoSlot> {
      const own = slotsByAccount.get(accountId) ?? 0;
      const room = places < limit || (own < guaranteed && places < 2 * limit);
      if (stopped || !room)
        return { full: 'queue', limit, retrySeconds: pace.estimateSeconds(listWaiting().length) };
      countSlots(accountId, 1);
      let used = false;
      const cost = computeCost(share);
      return {
        cost,
        submit(id) {
          used = true;
          return add(id, accountId, cost);
        },
        cancel() {
          if (!used) countSlots(accountId, -1);
          used = true;
        },
      };
    },
    noteStarted() {},
    async charge(accountId, cost) {
      order.charge(accountId, cost);
      const own = waiting.get(accountId);
      if (own)
        waiting.set(
          accountId,
          own.map((job) => ({ ...job, tag: job.tag + cost })),
        );
    },
    async start() {
      // The jobs cut off most often come last, so a crash after every start does not hit the same job each time.
      const unfinished = [...(await options.unfinished())].sort((a, b) => a.attempts - b.attempts);
      for (const { id, accountId } of unfinished) resume(id, accountId);
    },
    get waiting() {
      return listWaiting().length;
    },
    get running() {
      return running.size + runningInQuarantine.size;
    },
    get delayed() {
      return retries.size;
    },
    get quarantined() {
      return quarantineQueue.length + runningInQuarantine.size;
    },
    limit,
    oldestWaitMs() {
      const oldest = Math.min(...listWaiting().map(({ sinceMs }) => sinceMs));
      return Number.isFinite(oldest) ? nowMs() - oldest : 0;
    },
    async drain() {
      stopped = true;
      for (const timer of retries) clearTimeout(timer);
      for (const job of listWaiting()) job.done();
      waiting.clear();
      quarantineQueue.length = 0;
      if (running.size + runningInQuarantine.size > 0) {
        await new Promise<void>((done) => {
          onIdle = done;
        });
      }
    },
  };
}
