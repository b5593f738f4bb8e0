import { QueueEvents } from 'bullmq';
import { createRunIdReader } from '../redis/connect.ts';
import { listWithoutJob, QUARANTINE, QUEUE } from '../redis/jobs.ts';
import type { LockTimes, QueueTarget } from '../redis/queue-connections.ts';
import type { QueueParts } from '../services.ts';
import { createLane } from './bullmq-lane.ts';
import { computeCost, toPriority } from './fair-order.ts';
import { createPace } from './pace.ts';
import type { NoSlot, WorkQueue } from './port.ts';
import { createSharedOrder } from './shared-order.ts';
import { createSlotCounter } from './slot-counter.ts';
import { createSweep, sweepUnderLease } from './sweep.ts';
import { createEndWatch } from './watch.ts';

export const LOCK_TIMES: LockTimes = {
  lockMs: 30_000,
  stalledCheckMs: 10_000,
  sweepMs: 10_000,
  settledMs: 10_000,
};

/** Timeout of an addition; the sweep adds the job later. */
const ADD_MS = 1_000;
const COUNT_MS = 1_000;
const SWEEP_LEASE = 'sweep';

/** Maximum fraction of the queue that one account may fill. */
const ACCOUNT_SHARE = 1 / 2;

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
  { connections, client, prefix, times }: QueueTarget,
): WorkQueue {
  const { limit, workers, run, services } = parts;
  const laneParts = { connections, prefix, times, retryMs: parts.retryMs };
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
  const pace = createPace(() => performance.now());
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
  let stopped = false;
  let endSweeping = () => {};
  const readRunId = createRunIdReader(client);

  const withTimeout = <T>(work: Promise<T>): Promise<T> =>
    new Promise((done, failed) => {
      const timer = setTimeout(() => failed(new Error(`no answer within ${ADD_MS} ms`)), ADD_MS).unref();
      work.then(done, failed).finally(() => clearTimeout(timer));
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
    const runOpen = async (id: string, signal: AbortSignal, priority: number) => {
      const end = await runTracked(id, signal, false);
      if (end !== 'quarantine') return end;
      await quarantine.add([{ id, priority }]);
      return 'ended';
    };
    lane.work(workers, runOpen, watching);
    quarantine.work(
      1,
      async (id, signal) => ((await runTracked(id, signal, true)) === 'ended' ? 'ended' : 'again'),
      watching,
    );
  }

  function startSweeping(): () => void {
    const { store, settings, self, log, clock, metrics } = services();
    const { environment } = settings;
    const sweep = createSweep({
      page: (range) => store.inspections.listUnfinished(environment, range),
      queue: {
        listMissing: (ids) => listWithoutJob(client, prefix, ids),
        add: async (works) => lane.add(await order.prioritise(works)),
        readRunId,
      },
      nowMs: clock.wallMs,
      settledMs: times.settledMs,
    });
    return sweepUnderLease({
      leases: store.leases,
      lease: SWEEP_LEASE,
      holder: self.id,
      everyMs: times.sweepMs,
      async sweep() {
        await order.rebase(counts.waiting + counts.active === 0);
        const putBack = await sweep();
        metrics.putBack.inc({ queue: QUEUE }, putBack);
        if (putBack > 0) log.warn({ inspections: putBack }, 'work was put back that the queue had lost');
      },
      onSwept: (seconds) => metrics.sweepSeconds.observe({ queue: QUEUE }, seconds),
      log,
    });
  }

  /** Starts an extra job for the next account in line if one account occupies all workers of this process. */
  async function shareWorkers(): Promise<void> {
    if (workers === 0 || lane.running.length !== workers || client.status !== 'ready') return;
    const [next] = await withTimeout(lane.queue.getJobs(['prioritized'], 0, 0, true));
    if (!next) return;
    const { inspections } = services().store;
    const [other, ...accounts] = (
      await Promise.all([String(next.id), ...lane.running].map((id) => inspections.get(id)))
    ).map((record) => record?.accountId);
    if (new Set(accounts).size === 1 && !accounts.includes(other)) lane.startExtraJob();
  }

  async function addMissed(): Promise<void> {
    if (pendingAdds.size === 0 || client.status !== 'ready') return;
    const works = [...pendingAdds].map(([id, priority]) => ({ id, priority }));
    await withTimeout(lane.add(works));
    for (const { id } of works) pendingAdds.delete(id);
  }

  /** Counts waiting and running jobs of all processes; counts records while Redis is unreachable. */
  async function count(): Promise<void> {
    const { store, settings } = services();
    const counted = slots.submitted;
    const [oldest] = await store.inspections.listUnfinished(settings.environment, { limit: 1 });
    oldestAtMs = oldest && Date.parse(oldest.createdAt);
    try {
      const found = await Promise.all(
        lanes.map(({ queue }) =>
          withTimeout(queue.getJobCounts('waiting', 'prioritized', 'delayed', 'active')),
        ),
      );
      const [open, quarantined] = found.map(({ waiting = 0, prioritized = 0, delayed = 0, active = 0 }) => ({
        waiting: waiting + prioritized + delayed,
        active,
        delayed,
      })) as [QueueCounts, QueueCounts];
      counts = {
        waiting: open.waiting + quarantined.waiting,
        active: open.active + quarantined.active,
        delayed: open.delayed + quarantined.delayed,
        quarantined: quarantined.waiting + quarantined.active,
      };
    } catch {
      const facts = await store.getStats(settings.environment);
      const processing = facts.inspections.filter(({ status }) => status === 'processing');
      const waiting = processing.reduce((sum, one) => sum + one.count, 0);
      counts = { waiting, active: 0, delayed: 0, quarantined: 0 };
    }
    slots.subtract(counted);
  }

  return {
    async reserve(accountId, share) {
      const { store, settings } = services();
      if (stopped || counts.waiting + counts.active + slots.size >= limit)
        return makeNoSlot('queue', limit, counts.waiting);
      const most = Math.max(1, Math.floor(limit * ACCOUNT_SHARE));
      // Reserves a slot before querying the store, so concurrent creations cannot exceed the limit.
      const reserved = slots.countOpen(accountId);
      if (reserved >= most) return makeNoSlot('account', most, most);
      const reservation = slots.reserve(accountId);
      try {
        const own = (await store.order?.countUnfinished(accountId, settings.environment, most)) ?? 0;
        if (own + reserved >= most) {
          reservation.cancel();
          return makeNoSlot('account', most, most);
        }
      } catch (error) {
        reservation.cancel();
        throw error;
      }
      return {
        cost: computeCost(share),
        async submit(id, place) {
          reservation.submit();
          const ended = watch?.wait(id) ?? Promise.resolve();
          const priority = toPriority(place?.tag, place?.base ?? 0);
          await withTimeout(lane.add([{ id, priority }])).catch((error: Error) => {
            services().log.warn({ inspection: id, reason: error.message }, 'added once Redis is back');
            pendingAdds.set(id, priority);
          });
          await ended;
        },
        cancel: reservation.cancel,
      };
    },
    noteStarted: order.noteStarted,
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
        void Promise.all([count(), order.advance(), addMissed(), shareWorkers()]).catch((error: Error) =>
          log.warn({ reason: error.message }, 'queue count'),
        );
      timers.push(setInterval(tick, COUNT_MS).unref());
      await count().catch(() => undefined);
      if (workers === 0) return;
      startWorkers();
      endSweeping = startSweeping();
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
      stopped = true;
      for (const timer of timers) clearInterval(timer);
      endSweeping();
      watch?.release((id) => !runningIds.has(id));
      order.close();
      // Jobs still running after the grace period are released, and another process restarts them.
      const grace = setTimeout(() => {
        for (const one of lanes) one.releaseJobs();
      }, parts.graceMs).unref();
      await Promise.all(lanes.map((one) => one.close()));
      clearTimeout(grace);
      watch?.close();
      await connections.close(queueEvents);
    },
  };
}
