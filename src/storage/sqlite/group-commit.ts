/** The subset of a database needed to commit. */
interface Committer {
  transaction<T>(work: () => T): T;
  attempt<T>(work: () => T): { readonly value: T } | { readonly error: unknown };
  checkInPlace(): void;
}

/** Maximum callbacks per commit, and thus promises settled per event loop turn. */
const MAX_BATCH = 16;
/** Interval between attempts to acquire a write lock held by another connection. */
const RETRY_MS = 20;
/** Maximum wait of a callback for the write lock before it fails. */
const TIMEOUT_MS = 2_000;

interface PendingWrite {
  readonly sinceMs: number;
  readonly work: () => unknown;
  readonly done: (value: never) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Groups the writes of one event loop turn into one commit: each commit waits for the disk, and a burst of single
 * commits would starve the event loop. The returned promise resolves once the write is on disk. A failing callback
 * rolls back only its own changes. A write lock held by another connection is retried by timer, without blocking.
 */
export function groupCommit(db: Committer, timeoutMs = TIMEOUT_MS): <T>(work: () => T) => Promise<T> {
  let waiting: PendingWrite[] = [];

  function commit(): void {
    const batch = waiting.slice(0, MAX_BATCH);
    try {
      db.checkInPlace();
      const outcomes = db.transaction(() => batch.map(({ work }) => db.attempt(work)));
      waiting.splice(0, batch.length);
      batch.forEach(({ done, failed }, i) => {
        const outcome = outcomes[i];
        if (outcome && 'value' in outcome) done(outcome.value as never);
        else failed(outcome?.error);
      });
    } catch (error) {
      if (isBusy(error)) {
        waitForLock(error);
        return;
      }
      waiting.splice(0, batch.length);
      for (const { failed } of batch) failed(error);
    }
    if (waiting.length > 0) setImmediate(commit);
  }

  function waitForLock(error: unknown): void {
    const nowMs = performance.now();
    const timedOut = waiting.filter(({ sinceMs }) => nowMs - sinceMs > timeoutMs);
    waiting = waiting.filter((one) => !timedOut.includes(one));
    for (const { failed } of timedOut) failed(error);
    if (waiting.length > 0) setTimeout(commit, RETRY_MS);
  }

  return (work) =>
    new Promise((done, failed) => {
      if (waiting.push({ sinceMs: performance.now(), work, done, failed }) === 1) setImmediate(commit);
    });
}

/** Returns true if a write failed because another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return /database (table )?is (locked|busy)/.test(String((error as Error | null)?.message));
}
