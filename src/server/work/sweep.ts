import type { Environment, InspectionStore, ListPosition, UnfinishedWork } from '../../storage/ports.ts';

/** The part of a queue that a sweep needs. */
export interface SweptQueue {
  /** Those of the ids that the queue does not hold. */
  missing(ids: readonly string[]): Promise<string[]>;
  add(works: readonly UnfinishedWork[]): Promise<void>;
  /** Changes when the server restarted, perhaps empty. */
  runId(): Promise<string>;
}

/** Records looked at in one question. */
const PAGE = 1_000;
/** Work is put back that was stored this long ago: what is younger is being added by its creation. */
const SETTLED_MS = 30_000;
/** All work is looked at so often, else what was stored within this time. */
const WHOLE_MS = 5 * 60_000;

/**
 * Puts stored work back that the queue has lost: the records say what there is to do. Returns a function that looks once
 * and says how many were put back; the first look, one after the server restarted, and one every five minutes are at all.
 */
export function createSweep(options: {
  inspections: Pick<InspectionStore, 'unfinished'>;
  environment: Environment;
  queue: SweptQueue;
  nowMs: () => number;
  settledMs?: number;
}): () => Promise<number> {
  const { inspections, environment, queue, nowMs, settledMs = SETTLED_MS } = options;
  let runId = '';
  let wholeMs = Number.NEGATIVE_INFINITY;

  return async () => {
    const startMs = nowMs();
    const found = await queue.runId();
    const whole = found !== runId || startMs - wholeMs >= WHOLE_MS;
    const createdBefore = new Date(startMs - settledMs).toISOString();
    const since = whole ? {} : { createdAfter: new Date(startMs - settledMs - WHOLE_MS).toISOString() };
    let after: ListPosition | undefined;
    let putBack = 0;
    for (;;) {
      const page = await inspections.unfinished(environment, {
        createdBefore,
        ...since,
        ...(after === undefined ? {} : { after }),
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
