import type { QueueParts } from '../engines.ts';
import type { Place, WorkEnd, WorkQueue } from './port.ts';

interface Job {
  readonly id: string;
  readonly accountId: string;
  readonly sinceMs: number;
  readonly done: () => void;
}

/** Share of the places that every account gets even while others fill the queue. */
const GUARANTEED_SHARE = 1 / 10;

/**
 * A queue in the one process that works on a store; it takes up all that is unfinished there when it starts. An account
 * that has fewer than a tenth of the places gets one even when others have filled the queue (up to twice its limit), and
 * accounts take turns: one tenant's work does not stop another's.
 */
export function createMemoryQueue(
  options: Pick<QueueParts, 'limit' | 'workers' | 'retryMs' | 'run' | 'unfinished'> & {
    nowMs?: () => number;
  },
): WorkQueue {
  const { limit, nowMs = () => performance.now() } = options;
  // Nobody else works on this store: what runs is never taken over.
  const { signal } = new AbortController();
  const retries = new Set<NodeJS.Timeout>();
  const guaranteed = Math.max(1, Math.floor(limit * GUARANTEED_SHARE));
  /** Waiting jobs by account, in the order of the accounts' turns. */
  const waiting = new Map<string, Job[]>();
  const placesOf = new Map<string, number>();
  /** Work to be done in quarantine, one at a time. */
  const apart: Job[] = [];
  let apartRunning = 0;
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

  function ended(job: Job, end: WorkEnd): void {
    if (end === 'quarantine' && !stopped) {
      apart.push(job);
      return;
    }
    if (end === 'again') retryLater(job);
    countPlaces(job.accountId, -1);
    job.done();
  }

  function startWork(): void {
    while (!stopped && running < options.workers) {
      const job = takeNext();
      if (!job) break;
      running++;
      void options.run(job.id, signal, false).then((end) => {
        running--;
        ended(job, end);
        startWork();
      });
    }
    const job = !stopped && apartRunning === 0 ? apart.shift() : undefined;
    if (job) {
      apartRunning++;
      void options.run(job.id, signal, true).then((end) => {
        apartRunning--;
        ended(job, end);
        startWork();
      });
    }
    if (running + apartRunning === 0) onIdle?.();
  }

  function retryLater({ id, accountId }: Job): void {
    if (stopped) return;
    const timer = setTimeout(() => {
      retries.delete(timer);
      resume(id, accountId);
    }, options.retryMs).unref();
    retries.add(timer);
  }

  /** Takes work that was accepted before, beyond the bound where need be. */
  function resume(id: string, accountId: string): void {
    countPlaces(accountId, 1);
    void add(id, accountId);
  }

  const add = (id: string, accountId: string) =>
    new Promise<void>((done) => {
      const job = { id, accountId, sinceMs: nowMs(), done };
      const own = waiting.get(accountId);
      if (own) own.push(job);
      else waiting.set(accountId, [job]);
      startWork();
    });

  const allWaiting = () => [...[...waiting.values()].flat(), ...apart];

  return {
    reserve(accountId): Place | undefined {
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
    async start() {
      for (const { id, accountId } of await options.unfinished()) resume(id, accountId);
    },
    get waiting() {
      return allWaiting().length;
    },
    get running() {
      return running + apartRunning;
    },
    get quarantined() {
      return apart.length + apartRunning;
    },
    limit,
    oldestWaitMs() {
      const oldest = Math.min(...allWaiting().map(({ sinceMs }) => sinceMs));
      return Number.isFinite(oldest) ? nowMs() - oldest : 0;
    },
    async drain() {
      stopped = true;
      for (const timer of retries) clearTimeout(timer);
      for (const job of allWaiting()) job.done();
      waiting.clear();
      apart.length = 0;
      if (running + apartRunning > 0) {
        await new Promise<void>((done) => {
          onIdle = done;
        });
      }
    },
  };
}
