import type { QueueParts } from '../services.ts';
import { createCompletionRate } from './completion-rate.ts';
import { createFairOrder } from './fair-order.ts';
import { computeCost, type JobSize } from './job-cost.ts';
import type { JobEnd, NoSlot, Slot, WorkQueue } from './port.ts';

interface QueuedJob {
  readonly id: string;
  readonly accountId: string;
  readonly tag: number;
  readonly cost: number;
  readonly queuedAtMs: number;
  readonly resolve: () => void;
}

/** Size of a job left by an earlier process: its plan is unknown, so all accounts weigh the same. */
const RESUMED_JOB: JobSize = { photos: 4, weight: 1 };

/** Fraction of the slots guaranteed to every account even while others fill the queue. */
const GUARANTEED_SHARE = 1 / 10;

/**
 * Creates the queue of a service whose process is the only one on its store; it resumes all unfinished jobs. An account
 * that holds fewer than a tenth of the slots gets one even if others have filled the queue (up to twice its limit).
 * Accounts take turns in proportion to their weights. If one account occupies all workers and it is another's turn,
 * that job starts anyway and shares the threads, so no account waits for the end of a large job.
 */
export function createMemoryQueue(
  options: Pick<QueueParts, 'limit' | 'workers' | 'retryMs' | 'run' | 'listUnfinished'> & {
    nowMs?: () => number;
  },
): WorkQueue {
  const { limit, nowMs = () => performance.now() } = options;
  // Never aborted: no other process can take over a job of this store.
  const { signal } = new AbortController();
  const retries = new Set<NodeJS.Timeout>();
  const guaranteedSlots = Math.max(1, Math.floor(limit * GUARANTEED_SHARE));
  /** Waiting jobs by account, sorted by tag. */
  const waitingByAccount = new Map<string, QueuedJob[]>();
  const order = createFairOrder();
  const pace = createCompletionRate(nowMs);
  const slotsByAccount = new Map<string, number>();
  /** Jobs waiting for quarantine, which runs one at a time. */
  const quarantineQueue: QueuedJob[] = [];
  const running = new Set<QueuedJob>();
  const runningInQuarantine = new Set<QueuedJob>();
  let usedSlots = 0;
  let isStopped = false;
  let onIdle: (() => void) | undefined;

  const adjustSlots = (accountId: string, delta: 1 | -1) => {
    const slots = (slotsByAccount.get(accountId) ?? 0) + delta;
    if (slots > 0) slotsByAccount.set(accountId, slots);
    else slotsByAccount.delete(accountId);
    usedSlots += delta;
  };

  /**
   * Takes the waiting job with the smallest tag. On equal tags an account without running jobs comes first, then the
   * longest wait. Returns undefined if no job may start.
   */
  function takeNext(): QueuedJob | undefined {
    const busy = new Set([...running].map(({ accountId }) => accountId));
    let first: QueuedJob | undefined;
    for (const [job] of waitingByAccount.values() as Iterable<[QueuedJob]>) {
      const winsTie = job.tag === first?.tag && busy.has(first.accountId) && !busy.has(job.accountId);
      if (!first || job.tag < first.tag || winsTie) first = job;
    }
    if (!first || (running.size >= options.workers && !mayStartExtra(first))) return undefined;
    const accountJobs = waitingByAccount.get(first.accountId);
    accountJobs?.shift();
    if (accountJobs?.length === 0) waitingByAccount.delete(first.accountId);
    order.markStarted(first.tag);
    if (waitingByAccount.size === 0) order.prune();
    return first;
  }

  /** True if only other accounts' jobs run, one of them larger or from an account with more jobs waiting. */
  function mayStartExtra({ accountId, cost }: QueuedJob): boolean {
    const others = [...running].filter((other) => other.accountId !== accountId);
    return (
      others.length === running.size &&
      others.some((other) => waitingByAccount.has(other.accountId) || other.cost > cost)
    );
  }

  function handleEnd(job: QueuedJob, end: JobEnd): void {
    if (end === 'quarantine' && !isStopped) {
      quarantineQueue.push(job);
      return;
    }
    if (end === 'again') retryLater(job);
    else pace.count();
    adjustSlots(job.accountId, -1);
    job.resolve();
  }

  function start(job: QueuedJob, runningSet: Set<QueuedJob>): void {
    runningSet.add(job);
    void options.run(job.id, signal, runningSet === runningInQuarantine).then((end) => {
      runningSet.delete(job);
      handleEnd(job, end);
      startJobs();
    });
  }

  function startJobs(): void {
    while (!isStopped && options.workers > 0 && running.size <= options.workers) {
      const job = takeNext();
      if (!job) break;
      start(job, running);
    }
    const job = !isStopped && runningInQuarantine.size === 0 ? quarantineQueue.shift() : undefined;
    if (job) start(job, runningInQuarantine);
    if (running.size + runningInQuarantine.size === 0) onIdle?.();
  }

  function retryLater({ id, accountId }: QueuedJob): void {
    if (isStopped) return;
    const timer = setTimeout(() => {
      retries.delete(timer);
      resume(id, accountId);
    }, options.retryMs).unref();
    retries.add(timer);
  }

  /** Requeues a job that was accepted earlier, even beyond the limit. */
  function resume(id: string, accountId: string): void {
    adjustSlots(accountId, 1);
    void add(id, accountId, computeCost(RESUMED_JOB));
  }

  const add = (id: string, accountId: string, cost: number) =>
    new Promise<void>((resolve) => {
      const tag = order.raiseTag(accountId, cost);
      const job = { id, accountId, tag, cost, queuedAtMs: nowMs(), resolve };
      const accountJobs = waitingByAccount.get(accountId);
      if (accountJobs) accountJobs.push(job);
      else waitingByAccount.set(accountId, [job]);
      startJobs();
    });

  const listWaiting = () => [...[...waitingByAccount.values()].flat(), ...quarantineQueue];

  return {
    async reserve(accountId, job): Promise<Slot | NoSlot> {
      const accountSlots = slotsByAccount.get(accountId) ?? 0;
      const hasRoom = usedSlots < limit || (accountSlots < guaranteedSlots && usedSlots < 2 * limit);
      if (isStopped || !hasRoom)
        return { full: 'queue', limit, retrySeconds: pace.estimateSeconds(listWaiting().length) };
      adjustSlots(accountId, 1);
      let isUsed = false;
      const cost = computeCost(job);
      return {
        cost,
        submit(id) {
          isUsed = true;
          return add(id, accountId, cost);
        },
        cancel() {
          if (!isUsed) adjustSlots(accountId, -1);
          isUsed = true;
        },
      };
    },
    recordStart() {},
    async charge(accountId, cost) {
      order.raiseTag(accountId, cost);
      const accountJobs = waitingByAccount.get(accountId);
      if (accountJobs)
        waitingByAccount.set(
          accountId,
          accountJobs.map((job) => ({ ...job, tag: job.tag + cost })),
        );
    },
    async start() {
      // The jobs cut off most often come last, so a crash after every start does not hit the same job each time.
      const unfinished = [...(await options.listUnfinished())].sort((a, b) => a.attempts - b.attempts);
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
      const oldest = Math.min(...listWaiting().map(({ queuedAtMs }) => queuedAtMs));
      return Number.isFinite(oldest) ? nowMs() - oldest : 0;
    },
    async drain() {
      isStopped = true;
      for (const timer of retries) clearTimeout(timer);
      for (const job of listWaiting()) job.resolve();
      waitingByAccount.clear();
      quarantineQueue.length = 0;
      if (running.size + runningInQuarantine.size > 0) {
        await new Promise<void>((resolve) => {
          onIdle = resolve;
        });
      }
    },
  };
}
