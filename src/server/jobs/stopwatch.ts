import type { ServerClock } from '../clock.ts';

/** Creates a stopwatch for all jobs of this process; by the monotonic clock, so no step of a clock makes one negative. */
export function createStopwatch(clock: Pick<ServerClock, 'now' | 'monotonicMs'>) {
  const startTimes = new Map<string, number>();
  return {
    start(id: string) {
      startTimes.set(id, clock.monotonicMs());
    },
    /**
     * Returns the completion time of a job (ISO 8601, never before its creation), and its duration in seconds with two
     * decimals. Falls back to the wall clock for a job that another process started.
     */
    read(id: string, createdAt: string) {
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
    forget(id: string) {
      startTimes.delete(id);
    },
  };
}
export type Stopwatch = ReturnType<typeof createStopwatch>;
