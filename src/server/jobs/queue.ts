/** Work that waits for one of a few workers, bounded, in turns by account. What waits is remembered by the store. */
export interface JobQueue {
  /** Keeps a place; undefined when there is none. The place is used by `submit` or given back by `cancel`. */
  reserve(accountId: string): Place | undefined;
  /** Takes work that was accepted before, beyond the bound where need be. */
  resume(id: string, accountId: string): void;
  readonly waiting: number;
  readonly running: number;
  readonly limit: number;
  /** Milliseconds that the work at the head of the longest wait has been waiting; 0 when nothing waits. */
  oldestWaitMs(): number;
  /** Starts no more work, releases those who wait for work not begun, and waits for what runs. */
  drain(): Promise<void>;
}

export interface Place {
  /** Resolves when the work has ended, whatever the outcome. */
  submit(id: string): Promise<void>;
  cancel(): void;
}

interface Job {
  readonly id: string;
  readonly accountId: string;
  readonly sinceMs: number;
  readonly done: () => void;
}

/** Share of the places that every account gets even while others fill the queue. */
const GUARANTEED_SHARE = 1 / 10;

/**
 * A queue in this process; `run` never rejects. An account that has fewer than a tenth of the places gets one even when
 * others have filled the queue (up to twice its limit), and accounts take turns: one tenant's work does not stop another's.
 */
export function createQueue(options: {
  limit: number;
  workers: number;
  run: (id: string) => Promise<void>;
  nowMs?: () => number;
}): JobQueue {
  const { limit, nowMs = () => performance.now() } = options;
  const guaranteed = Math.max(1, Math.floor(limit * GUARANTEED_SHARE));
  /** Waiting jobs by account, in the order of the accounts' turns. */
  const waiting = new Map<string, Job[]>();
  const placesOf = new Map<string, number>();
  let places = 0;
  let running = 0;
  let stopped = false;
  let onIdle: (() => void) | undefined;

  const countPlaces = (accountId: string, change: 1 | -1) => {
    const now = (placesOf.get(accountId) ?? 0) + change;
    if (now > 0) placesOf.set(accountId, now);
    else placesOf.delete(accountId);
    places += change;
  };

  /** The first job of the account whose turn it is; its other jobs wait behind all other accounts. */
  function takeNext(): Job | undefined {
    const [turn] = waiting;
    if (!turn) return undefined;
    const [accountId, jobs] = turn;
    const job = jobs.shift();
    waiting.delete(accountId);
    if (jobs.length > 0) waiting.set(accountId, jobs);
    return job;
  }

  function startWork(): void {
    while (!stopped && running < options.workers) {
      const job = takeNext();
      if (!job) break;
      running++;
      void options.run(job.id).finally(() => {
        running--;
        countPlaces(job.accountId, -1);
        job.done();
        startWork();
        if (running === 0) onIdle?.();
      });
    }
  }

  const add = (id: string, accountId: string) =>
    new Promise<void>((done) => {
      const job = { id, accountId, sinceMs: nowMs(), done };
      const own = waiting.get(accountId);
      if (own) own.push(job);
      else waiting.set(accountId, [job]);
      startWork();
    });

  const allWaiting = () => [...waiting.values()].flat();

  return {
    reserve(accountId) {
      const own = placesOf.get(accountId) ?? 0;
      const room = places < limit || (own < guaranteed && places < 2 * limit);
      if (stopped || !room) return undefined;
      countPlaces(accountId, 1);
      let used = false;
      return {
        submit(id) {
          used = true;
          return add(id, accountId);
        },
        cancel() {
          if (!used) countPlaces(accountId, -1);
          used = true;
        },
      };
    },
    resume(id, accountId) {
      countPlaces(accountId, 1);
      void add(id, accountId);
    },
    get waiting() {
      return allWaiting().length;
    },
    get running() {
      return running;
    },
    limit,
    oldestWaitMs() {
      const oldest = Math.min(...allWaiting().map(({ sinceMs }) => sinceMs));
      return Number.isFinite(oldest) ? nowMs() - oldest : 0;
    },
    async drain() {
      stopped = true;
      for (const job of allWaiting()) job.done();
      waiting.clear();
      if (running > 0) {
        await new Promise<void>((done) => {
          onIdle = done;
        });
      }
    },
  };
}
