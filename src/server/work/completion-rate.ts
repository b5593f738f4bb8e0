/** Completion rate of jobs. */
interface CompletionRate {
  /** Counts one finished job. */
  count(): void;
  /** Returns the seconds, 1 to 3600, to finish this many jobs at the rate of the last minute. */
  estimateSeconds(jobs: number): number;
}

const WINDOW_SECONDS = 60;
const MAX_SECONDS = 3600;

/** Counts completions per second over a window of one minute; `nowMs` is a monotonic clock. */
export function createCompletionRate(nowMs: () => number): CompletionRate {
  const startedAt = nowMs();
  const countsBySecond = new Map<number, number>();
  const readSecond = () => Math.floor((nowMs() - startedAt) / 1000);

  function dropExpired(currentSecond: number): void {
    for (const second of countsBySecond.keys()) {
      if (second > currentSecond - WINDOW_SECONDS) return;
      countsBySecond.delete(second);
    }
  }

  return {
    count() {
      const currentSecond = readSecond();
      dropExpired(currentSecond);
      countsBySecond.set(currentSecond, (countsBySecond.get(currentSecond) ?? 0) + 1);
    },
    estimateSeconds(jobs) {
      const currentSecond = readSecond();
      dropExpired(currentSecond);
      let total = 0;
      for (const count of countsBySecond.values()) total += count;
      // No job finished in the window, so the rate is unknown; retry after one window.
      if (total === 0) return WINDOW_SECONDS;
      const perSecond = total / Math.min(WINDOW_SECONDS, currentSecond + 1);
      return Math.min(MAX_SECONDS, Math.max(1, Math.ceil(jobs / perSecond)));
    },
  };
}
