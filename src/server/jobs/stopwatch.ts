import type { ServerClock } from '../clock.ts';

/** When a piece of work ended, and how long it took. */
interface Completion {
  /** ISO 8601, UTC; never before the work was created. */
  readonly completedAt: string;
  /** Seconds with two decimals. */
  readonly processingTime: number;
}

/** Times work by the monotonic clock, so that a step of the wall clock makes no duration negative. */
export interface Stopwatch {
  start(id: string): void;
  /** By the wall clock for work that another process started. */
  read(id: string, createdAt: string): Completion;
  forget(id: string): void;
}

/** Creates a stopwatch over all work of this process. */
export function createStopwatch(clock: Pick<ServerClock, 'now' | 'monotonicMs'>): Stopwatch {
  const started = new Map<string, number>();
  return {
    start(id) {
      started.set(id, clock.monotonicMs());
    },
    read(id, createdAt) {
      const createdMs = Date.parse(createdAt);
      const startedMs = started.get(id);
      const elapsedMs =
        startedMs === undefined
          ? Math.max(0, clock.now().getTime() - createdMs)
          : Math.round(clock.monotonicMs() - startedMs);
      return {
        completedAt: new Date(createdMs + elapsedMs).toISOString(),
        processingTime: Math.round(elapsedMs / 10) / 100,
      };
    },
    forget(id) {
      started.delete(id);
    },
  };
}
