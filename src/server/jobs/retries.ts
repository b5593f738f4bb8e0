import type { JobQueue } from './queue.ts';

/** Analyses whose outcome could not be stored, each put back into the queue after a while. */
export interface Retries {
  /** True while the analysis runs again because of that: such a run is not counted as an attempt. */
  has(id: string): boolean;
  add(id: string, accountId: string): void;
  delete(id: string): void;
  stop(): void;
}

/** Retries into the queue of this process. */
export function createRetries(queue: () => Pick<JobQueue, 'resume'>, delayMs: number): Retries {
  const ids = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  return {
    has: (id) => ids.has(id),
    add(id, accountId) {
      ids.add(id);
      const timer = setTimeout(() => {
        timers.delete(timer);
        queue().resume(id, accountId);
      }, delayMs).unref();
      timers.add(timer);
    },
    delete: (id) => void ids.delete(id),
    stop() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
