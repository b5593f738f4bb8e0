/** The subset of a database needed to commit. */
interface Committer {
  transaction<T>(callback: () => T): T;
  runInSavepoint<T>(callback: () => T): { readonly value: T } | { readonly error: unknown };
  checkNotReplaced(): void;
}

/** Maximum callbacks per commit, and thus promises settled per event loop turn. */
const MAX_BATCH = 16;
/** Interval between attempts to acquire a write lock held by another connection. */
const RETRY_INTERVAL_MS = 20;
/** Maximum wait of a callback for the write lock before it fails. */
const LOCK_TIMEOUT_MS = 2_000;

interface PendingWrite {
  readonly queuedAtMs: number;
  readonly callback: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Groups the writes of one event loop turn into one commit: each commit waits for the disk, and a burst of single
 * commits would starve the event loop. The returned promise resolves once the write is on disk. A failing callback
 * rolls back only its own changes. A write lock held by another connection is retried by timer, without blocking.
 */
export function groupWrites(
  db: Committer,
  timeoutMs = LOCK_TIMEOUT_MS,
): <T>(callback: () => T) => Promise<T> {
  let queue: PendingWrite[] = [];

  function commit(): void {
    const batch = queue.slice(0, MAX_BATCH);
    try {
      db.checkNotReplaced();
      const outcomes = db.transaction(() => batch.map(({ callback }) => db.runInSavepoint(callback)));
      queue.splice(0, batch.length);
      batch.forEach(({ resolve, reject }, i) => {
        const outcome = outcomes[i];
        if (outcome && 'value' in outcome) resolve(outcome.value as never);
        else reject(outcome?.error);
      });
    } catch (error) {
      if (isBusy(error)) {
        waitForLock(error);
        return;
      }
      queue.splice(0, batch.length);
      for (const { reject } of batch) reject(error);
    }
    if (queue.length > 0) setImmediate(commit);
  }

  function waitForLock(error: unknown): void {
    const nowMs = performance.now();
    const expired = queue.filter(({ queuedAtMs }) => nowMs - queuedAtMs > timeoutMs);
    queue = queue.filter((write) => !expired.includes(write));
    for (const { reject } of expired) reject(error);
    if (queue.length > 0) setTimeout(commit, RETRY_INTERVAL_MS);
  }

  return (callback) =>
    new Promise((resolve, reject) => {
      const write = { queuedAtMs: performance.now(), callback, resolve, reject };
      if (queue.push(write) === 1) setImmediate(commit);
    });
}

/** Returns true if a write failed because another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return /database (table )?is (locked|busy)/.test(String((error as Error | null)?.message));
}
