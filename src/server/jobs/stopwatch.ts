import type { ServerClock } from '../clock.ts';

/** Completion time and duration of a job. */
interface Completion {
  /** ISO 8601, UTC; never before the job's creation. */
  readonly completedAt: string;
  /** Seconds with two decimals. */
  readonly processingTime: number;
}

/** Times jobs by the monotonic clock, so a wall-clock step cannot make a duration negative. */
export interface Stopwatch {
  start(id: string): void;
  /** Falls back to the wall clock for a job that another process started. */
  read(id: string, createdAt: string): Completion;
  forget(id: string): void;
}

/** Creates a stopwatch for all jobs of this process. */
export function createStopwatch(clock: Pick<ServerClock, 'now' | 'monotonicMs'>): Stopwatch {
  const startTimes = new Map<string, number>();
  return {
    start(id) {
      startTimes.set(id, clock.monotonicMs());
    },
    read(id, createdAt) {
      const createdMs = Date.parse(createdAt);
      const startedMs = startTimes.get(id);
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
      startTimes.delete(id);
    },
  };
}
