import type { FastifyBaseLogger } from 'fastify';
import { defined } from '../../lib/defined.ts';
import { MINUTE_MS } from '../../lib/durations.ts';
import type { LeaseStore, UnfinishedJob, UnfinishedJobQuery } from '../../storage/ports.ts';

/** Subset of a queue that a sweep needs. */
interface SweptQueue {
  /** Returns the ids that the queue does not hold. */
  listMissing(ids: readonly string[]): Promise<string[]>;
  add(jobs: readonly UnfinishedJob[]): Promise<void>;
  /** Changes when the queue may have lost jobs: its server restarted or was temporarily unreachable. */
  readRunId(): Promise<string>;
}

/** Records per query. */
const PAGE_SIZE = 1_000;
/** Minimum age of a stored job that is put back; a younger one is still being added by its creation. */
const MIN_AGE_MS = 10_000;
/** Interval between full sweeps; the sweeps in between cover only jobs stored within this time. */
const FULL_SWEEP_MS = 5 * MINUTE_MS;

/**
 * Restores stored jobs that the queue has lost; the records are authoritative. Returns a function that sweeps once and
 * returns the number of jobs restored. The first sweep, one after a possible loss, and one every five minutes are full.
 */
export function createSweep(options: {
  /** Reads unfinished jobs page by page in a stable order. */
  readPage: (range: UnfinishedJobQuery) => Promise<readonly UnfinishedJob[]>;
  queue: SweptQueue;
  nowMs: () => number;
  settledMs?: number;
}): () => Promise<number> {
  const { queue, nowMs, settledMs = MIN_AGE_MS } = options;
  let runId = '';
  let lastFullMs = Number.NEGATIVE_INFINITY;

  return async () => {
    const startMs = nowMs();
    const currentRunId = await queue.readRunId();
    const isFull = currentRunId !== runId || startMs - lastFullMs >= FULL_SWEEP_MS;
    const createdBefore = new Date(startMs - settledMs).toISOString();
    const range = isFull ? {} : { createdAfter: new Date(startMs - settledMs - FULL_SWEEP_MS).toISOString() };
    let after: UnfinishedJob | undefined;
    let restoredCount = 0;
    for (;;) {
      const page = await options.readPage({
        createdBefore,
        ...range,
        ...defined({ after }),
        limit: PAGE_SIZE,
      });
      const missing = new Set(await queue.listMissing(page.map(({ id }) => id)));
      if (missing.size > 0) await queue.add(page.filter(({ id }) => missing.has(id)));
      restoredCount += missing.size;
      after = page.at(-1);
      if (page.length < PAGE_SIZE || !after) break;
    }
    // Updated last, so a sweep that failed midway is repeated in full.
    runId = currentRunId;
    if (isFull) lastFullMs = startMs;
    return restoredCount;
  };
}

/** Sweeps for all processes while this one obtains the lease, once immediately. Returns the function that stops it. */
export function sweepUnderLease(options: {
  leases: LeaseStore;
  /** Name of the lease, shared by all processes. */
  lease: string;
  holder: string;
  intervalMs: number;
  sweep: () => Promise<void>;
  /** Called with the duration of each completed sweep of this process, in seconds. */
  onSwept: (seconds: number) => void;
  log: FastifyBaseLogger;
}): () => void {
  const { leases, lease, holder, intervalMs, sweep, onSwept, log } = options;
  let isSweeping = false;
  const sweepOnce = async () => {
    if (!(await leases.acquire(lease, holder, 2 * intervalMs))) return;
    const startedMs = performance.now();
    await sweep();
    onSwept((performance.now() - startedMs) / 1000);
  };
  const tick = () => {
    if (isSweeping) return;
    isSweeping = true;
    sweepOnce()
      .catch((error: Error) => log.warn({ reason: error.message }, lease))
      .finally(() => {
        isSweeping = false;
      });
  };
  const timer = setInterval(tick, intervalMs).unref();
  tick();
  return () => clearInterval(timer);
}
