import type { FastifyBaseLogger } from 'fastify';
import { defined } from '../../lib/defined.ts';
import { MINUTE_MS } from '../../lib/durations.ts';
import type { LeaseStore, UnfinishedPage, UnfinishedWork } from '../../storage/ports.ts';

/** The part of a queue that a sweep needs. */
interface SweptQueue {
  /** Those of the ids that the queue does not hold. */
  missing(ids: readonly string[]): Promise<string[]>;
  add(works: readonly UnfinishedWork[]): Promise<void>;
  /** Changes when the queue may have lost something: its server restarted, or was not reached for a while. */
  runId(): Promise<string>;
}

/** Records read per statement. */
const PAGE = 1_000;
/** Minimum age of stored work that is put back: what is younger is being added by its creation. */
const SETTLED_MS = 10_000;
/** Interval between sweeps over all work; the sweeps in between read work stored within this time. */
const WHOLE_MS = 5 * MINUTE_MS;

/**
 * Puts stored work back that the queue has lost: the records say what there is to do. Returns a function that looks
 * once and says how many were put back; the first look, one after the queue may have lost something, and one every five
 * minutes are at all.
 */
export function createSweep(options: {
  /** Reads work in an order of its own. */
  page: (range: UnfinishedPage) => Promise<readonly UnfinishedWork[]>;
  queue: SweptQueue;
  nowMs: () => number;
  settledMs?: number;
}): () => Promise<number> {
  const { queue, nowMs, settledMs = SETTLED_MS } = options;
  let runId = '';
  let wholeMs = Number.NEGATIVE_INFINITY;

  return async () => {
    const startMs = nowMs();
    const found = await queue.runId();
    const whole = found !== runId || startMs - wholeMs >= WHOLE_MS;
    const createdBefore = new Date(startMs - settledMs).toISOString();
    const since = whole ? {} : { createdAfter: new Date(startMs - settledMs - WHOLE_MS).toISOString() };
    let after: UnfinishedWork | undefined;
    let putBack = 0;
    for (;;) {
      const page = await options.page({
        createdBefore,
        ...since,
        ...defined({ after }),
        limit: PAGE,
      });
      const missing = new Set(await queue.missing(page.map(({ id }) => id)));
      if (missing.size > 0) await queue.add(page.filter(({ id }) => missing.has(id)));
      putBack += missing.size;
      after = page.at(-1);
      if (page.length < PAGE || !after) break;
    }
    // Only now: a look that failed half-way is a look at nothing.
    runId = found;
    if (whole) wholeMs = startMs;
    return putBack;
  };
}

/** Lets one process at a time sweep for all, at once and from then on. Returns the function that ends it here. */
export function sweepByTurns(options: {
  leases: LeaseStore;
  /** What is swept, as others call it too. */
  lease: string;
  holder: string;
  everyMs: number;
  sweep: () => Promise<void>;
  /** Called with the time of each sweep of this process that came to its end. */
  onSwept: (seconds: number) => void;
  log: FastifyBaseLogger;
}): () => void {
  const { leases, lease, holder, everyMs, sweep, onSwept, log } = options;
  let sweeping = false;
  const turn = async () => {
    if (!(await leases.take(lease, holder, 2 * everyMs))) return;
    const startedMs = performance.now();
    await sweep();
    onSwept((performance.now() - startedMs) / 1000);
  };
  const begin = () => {
    if (sweeping) return;
    sweeping = true;
    turn()
      .catch((error: Error) => log.warn({ reason: error.message }, lease))
      .finally(() => {
        sweeping = false;
      });
  };
  const timer = setInterval(begin, everyMs).unref();
  begin();
  return () => clearInterval(timer);
}
