import { QueueEvents } from 'bullmq';
import { createRunIdReader } from '../redis/connect.ts';
import { listIdsWithoutJob, QUARANTINE, QUEUE } from '../redis/jobs.ts';
import type { LockTiming, QueueTarget } from '../redis/queue-connections.ts';
import type { QueueParts } from '../services.ts';
import { createLane } from './bullmq-lane.ts';
import { createCompletionRate } from './completion-rate.ts';
import { createEndWatch } from './end-watch.ts';
import { computeCost } from './job-cost.ts';
import type { NoSlot, WorkQueue } from './port.ts';
import { createSharedOrder, toPriority } from './shared-order.ts';
import { createSlotCounter } from './slot-counter.ts';
import { createSweep, sweepUnderLease } from './sweep.ts';

export const LOCK_TIMES: LockTiming = {
  lockMs: 30_000,
  stalledCheckMs: 10_000,
  sweepMs: 10_000,
  settledMs: 10_000,
};

/** Timeout of an addition; the sweep adds the job later. */
const ADD_TIMEOUT_MS = 1_000;
const COUNT_INTERVAL_MS = 1_000;
const SWEEP_LEASE = 'sweep';

/** Maximum fraction of the queue that one account may fill. */
const MAX_ACCOUNT_SHARE = 1 / 2;

interface QueueCounts {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
}

/**
 * Distributes jobs over all processes through BullMQ. A record's id is the id and the only content of its job, which
 * makes adding idempotent. The store is authoritative: jobs that Redis loses are restored from it.
 */
export function createSharedQueue(
  parts: QueueParts,
  { connections, client, prefix, timing }: QueueTarget,
): WorkQueue {
  const { limit, workers, run, services } = parts;
  const laneParts = { connections, prefix, timing, retryMs: parts.retryMs };
  const lane = createLane(QUEUE, laneParts);
  const quarantine = createLane(QUARANTINE, laneParts);
  const lanes = [lane, quarantine];
  const order = createSharedOrder(services, lane);
  const queueEvents = new QueueEvents(QUEUE, { connection: connections.work, prefix, autorun: false });
  const timers: NodeJS.Timeout[] = [];
  let watch: ReturnType<typeof createEndWatch> | undefined;
  let counts = { waiting: 0, active: 0, delayed: 0, quarantined: 0 };
  const slots = createSlotCounter();
  /** Rate over all processes: each sees the completions of all. */
  const pace = createCompletionRate(() => performance.now());
  const makeNoSlot = (full: NoSlot['full'], limit: number, waiting: number): NoSlot => ({
    full,
    limit,
    retrySeconds: pace.estimateSeconds(waiting),
  });
  /** Priorities by id of jobs that Redis did not accept, to be added once it is back. */
  const pendingAdds = new Map<string, number>();
  /** Ids of the jobs running in this process. */
  const runningIds = new Set<string>();
  let oldestAtMs: number | undefined;
  let isStopped = false;
  let stopSweeping = () => {};
  const readRunId = createRunIdReader(client);

  const withTimeout = <T>(promise: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no answer within ${ADD_TIMEOUT_MS} ms`)),
        ADD_TIMEOUT_MS,
      ).unref();
      promise.then(resolve, reject).finally(() => clearTimeout(timer));
    });

  function startWorkers(): void {
    const watching = services();
    const runTracked = async (id: string, signal: AbortSignal, inChild: boolean) => {
      runningIds.add(id);
      try {
        return await run(id, signal, inChild);
      } finally {
        runningIds.delete(id);
      }
    };
    const runOrQuarantine = async (id: string, signal: AbortSignal, priority: number) => {
      const end = await runTracked(id, signal, false);
      if (end !== 'quarantine') return end;
      await quarantine.add([{ id, priority }]);
      return 'ended';
    };
    lane.start(workers, runOrQuarantine, watching);
    quarantine.start(
      1,
      async (id, signal) => ((await runTracked(id, signal, true)) === 'ended' ? 'ended' : 'again'),
      watching,
    );
  }

  function startSweeping(): () => void {
    const { store, settings, self, log, clock, metrics } = services();
    const { environment } = settings;
    const sweep = createSweep({
      readPage: (range) => store.inspections.listUnfinished(environment, range),
      queue: {
        listMissing: (ids) => listIdsWithoutJob(client, prefix, ids),
        add: async (jobs) => lane.add(await order.prioritise(jobs)),
        readRunId,
      },
      nowMs: clock.wallMs,
      settledMs: timing.settledMs,
    });
    return sweepUnderLease({
      leases: store.leases,
      lease: SWEEP_LEASE,
      holder: self.id,
      intervalMs: timing.sweepMs,
      async sweep() {
        await order.rebase(counts.waiting + counts.active === 0);
        const restored = await sweep();
        metrics.putBack.inc({ queue: QUEUE }, restored);
        if (restored > 0) log.warn({ inspections: restored }, 'work was put back that the queue had lost');
      },
      onSwept: (seconds) => metrics.sweepSeconds.observe({ queue: QUEUE }, seconds),
      log,
    });
  }

  /** Starts an extra job for the next account in line if one account occupies all workers of this process. */
  async function shareWorkers(): Promise<void> {
    if (workers === 0 || lane.running.length !== workers || client.status !== 'ready') return;
    const [nextJob] = await withTimeout(lane.queue.getJobs(['prioritized'], 0, 0, true));
    if (!nextJob) return;
    const { inspections } = services().store;
    const [other, ...accounts] = (
      await Promise.all([String(nextJob.id), ...lane.running].map((id) => inspections.get(id)))
    ).map((record) => record?.accountId);
    if (new Set(accounts).size === 1 && !accounts.includes(other)) lane.startExtraJob();
  }

  async function flushPendingAdds(): Promise<void> {
    if (pendingAdds.size === 0 || client.status !== 'ready') return;
    const jobs = [...pendingAdds].map(([id, priority]) => ({ id, priority }));
    await withTimeout(lane.add(jobs));
    for (const { id } of jobs) pendingAdds.delete(id);
  }

  /** Counts waiting and running jobs of all processes; counts records while Redis is unreachable. */
  async function count(): Promise<void> {
    const { store, settings } = services();
    const submittedBefore = slots.submitted;
    const [oldest] = await store.inspections.listUnfinished(settings.environment, { limit: 1 });
    oldestAtMs = oldest && Date.parse(oldest.createdAt);
    try {
      const jobCounts = await Promise.all(
        lanes.map(({ queue }) =>
          withTimeout(queue.getJobCounts('waiting', 'prioritized', 'delayed', 'active')),
        ),
      );
      const [regular, quarantined] = jobCounts.map(
        ({ waiting = 0, prioritized = 0, delayed = 0, active = 0 }) => ({
          waiting: waiting + prioritized + delayed,
          active,
          delayed,
        }),
      ) as [QueueCounts, QueueCounts];
      counts = {
        waiting: regular.waiting + quarantined.waiting,
        active: regular.active + quarantined.active,
        delayed: regular.delayed + quarantined.delayed,
        quarantined: quarantined.waiting + quarantined.active,
      };
    } catch {
      const stats = await store.getStats(settings.environment);
      const processing = stats.inspections.filter(({ status }) => status === 'processing');
      const waiting = processing.reduce((sum, entry) => sum + entry.count, 0);
      counts = { waiting, active: 0, delayed: 0, quarantined: 0 };
    }
    slots.discountSubmitted(submittedBefore);
  }

  return {
    async reserve(accountId, job) {
      const { store, settings } = services();
      if (isStopped || counts.waiting + counts.active + slots.size >= limit)
        return makeNoSlot('queue', limit, counts.waiting);
      const accountLimit = Math.max(1, Math.floor(limit * MAX_ACCOUNT_SHARE));
      // Reserves a slot before querying the store, so concurrent creations cannot exceed the limit.
      const openCount = slots.countOpen(accountId);
      if (openCount >= accountLimit) return makeNoSlot('account', accountLimit, accountLimit);
      const reservation = slots.reserve(accountId);
      try {
        const unfinished =
          (await store.order?.countUnfinished(accountId, settings.environment, accountLimit)) ?? 0;
        if (unfinished + openCount >= accountLimit) {
          reservation.cancel();
          return makeNoSlot('account', accountLimit, accountLimit);
        }
      } catch (error) {
        reservation.cancel();
        throw error;
      }
      return {
        cost: computeCost(job),
        async submit(id, position) {
          reservation.submit();
          const jobEnd = watch?.wait(id) ?? Promise.resolve();
          const priority = toPriority(position?.tag, position?.base ?? 0);
          await withTimeout(lane.add([{ id, priority }])).catch((error: Error) => {
            services().log.warn({ inspection: id, reason: error.message }, 'added once Redis is back');
            pendingAdds.set(id, priority);
          });
          await jobEnd;
        },
        cancel: reservation.cancel,
      };
    },
    recordStart: order.recordStart,
    async charge(accountId, cost) {
      const { store, settings } = services();
      await store.order?.charge(accountId, settings.environment, cost);
    },
    async start() {
      const { store, log } = services();
      watch = createEndWatch(store.inspections);
      for (const { queue } of lanes) queue.on('error', (err) => log.debug({ reason: err.message }, 'queue'));
      queueEvents.on('error', (err) => log.debug({ reason: err.message }, 'queue'));
      queueEvents.on('completed', ({ jobId }) => {
        pace.count();
        watch?.hint(jobId);
      });
      void queueEvents.run().catch(() => undefined);
      const tick = () =>
        void Promise.all([count(), order.advance(), flushPendingAdds(), shareWorkers()]).catch(
          (error: Error) => log.warn({ reason: error.message }, 'queue count'),
        );
      timers.push(setInterval(tick, COUNT_INTERVAL_MS).unref());
      await count().catch(() => undefined);
      if (workers === 0) return;
      startWorkers();
      stopSweeping = startSweeping();
    },
    get waiting() {
      return counts.waiting;
    },
    get running() {
      return counts.active;
    },
    get delayed() {
      return counts.delayed;
    },
    get quarantined() {
      return counts.quarantined;
    },
    limit,
    oldestWaitMs: () => (oldestAtMs === undefined ? 0 : Math.max(0, Date.now() - oldestAtMs)),
    async drain() {
      isStopped = true;
      for (const timer of timers) clearInterval(timer);
      stopSweeping();
      watch?.release((id) => !runningIds.has(id));
      order.close();
      // Jobs still running after the grace period are released, and another process restarts them.
      const grace = setTimeout(() => {
        for (const each of lanes) each.releaseJobs();
      }, parts.graceMs).unref();
      await Promise.all(lanes.map((each) => each.close()));
      clearTimeout(grace);
      watch?.close();
      await connections.close(queueEvents);
    },
  };
}
