/** The part of a database that commits. */
interface Committer {
  transaction<T>(work: () => T): T;
  attempt<T>(work: () => T): { readonly value: T } | { readonly error: unknown };
  checkInPlace(): void;
}

/** Maximum units of work per commit, and so of promises that settle in one turn of the event loop. */
const GROUP_MAX = 16;
/** Time between two tries to get a write lock that another connection holds. */
const RETRY_MS = 20;
/** Maximum time that work waits for the write lock before it fails. */
const PATIENCE_MS = 2_000;

interface Waiting {
  readonly sinceMs: number;
  readonly work: () => unknown;
  readonly done: (value: never) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Commits what one turn of the event loop asks for together: a commit waits for the disk, and a burst of requests that
 * each wait for their own keeps the loop from all others. What is returned resolves when the work is on the disk;
 * work that fails undoes itself alone. A write lock held by another connection is waited for by timer, not on the loop.
 */
export function groupCommit(db: Committer, patienceMs = PATIENCE_MS): <T>(work: () => T) => Promise<T> {
  let waiting: Waiting[] = [];

  function commit(): void {
    const group = waiting.slice(0, GROUP_MAX);
    try {
      db.checkInPlace();
      const outcomes = db.transaction(() => group.map(({ work }) => db.attempt(work)));
      waiting.splice(0, group.length);
      group.forEach(({ done, failed }, i) => {
        const outcome = outcomes[i];
        if (outcome && 'value' in outcome) done(outcome.value as never);
        else failed(outcome?.error);
      });
    } catch (error) {
      if (isBusy(error)) {
        waitForLock(error);
        return;
      }
      waiting.splice(0, group.length);
      for (const { failed } of group) failed(error);
    }
    if (waiting.length > 0) setImmediate(commit);
  }

  function waitForLock(error: unknown): void {
    const nowMs = performance.now();
    const late = waiting.filter(({ sinceMs }) => nowMs - sinceMs > patienceMs);
    waiting = waiting.filter((one) => !late.includes(one));
    for (const { failed } of late) failed(error);
    if (waiting.length > 0) setTimeout(commit, RETRY_MS);
  }

  return (work) =>
    new Promise((done, failed) => {
      if (waiting.push({ sinceMs: performance.now(), work, done, failed }) === 1) setImmediate(commit);
    });
}

/** Returns whether a write failed because another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return /database (table )?is (locked|busy)/.test(String((error as Error | null)?.message));
}
