import type { InspectionStore } from '../../storage/ports.ts';

/** Waits for jobs that end in other processes. */
interface EndWatch {
  /** Resolves when the job has ended or the watch is closed. */
  wait(id: string): Promise<void>;
  /** Hints that the job may have ended. */
  hint(id: string): void;
  /** Resolves the waits that `isSelected` selects, even if their jobs have not ended. */
  release(isSelected: (id: string) => boolean): void;
  close(): void;
}

/** Interval between queries for all awaited records, because a notification may be lost. */
const QUERY_INTERVAL_MS = 500;

/** Creates a watch over the records. */
export function createEndWatch(inspections: Pick<InspectionStore, 'filterFinished'>): EndWatch {
  const waiters = new Map<string, () => void>();
  let isQuerying = false;

  async function query(ids: readonly string[]): Promise<void> {
    for (const id of await inspections.filterFinished(ids)) {
      waiters.get(id)?.();
      waiters.delete(id);
    }
  }

  const timer = setInterval(() => {
    if (isQuerying || waiters.size === 0) return;
    isQuerying = true;
    // An unreachable store is queried again at the next interval.
    query([...waiters.keys()])
      .catch(() => undefined)
      .finally(() => {
        isQuerying = false;
      });
  }, QUERY_INTERVAL_MS).unref();

  function release(isSelected: (id: string) => boolean): void {
    for (const [id, resolve] of waiters) {
      if (!isSelected(id)) continue;
      waiters.delete(id);
      resolve();
    }
  }

  return {
    release,
    wait: (id) =>
      new Promise((resolve) => {
        waiters.set(id, resolve);
      }),
    hint(id) {
      if (waiters.has(id)) query([id]).catch(() => undefined);
    },
    close() {
      clearInterval(timer);
      release(() => true);
    },
  };
}
