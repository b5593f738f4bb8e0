/** Completion rate of jobs. */
interface Pace {
  /** Counts one finished job. */
  count(): void;
  /** Returns the seconds, 1 to 3600, to finish this many jobs at the rate of the last minute. */
  estimateSeconds(jobs: number): number;
}

const WINDOW_SECONDS = 60;
const MAX_SECONDS = 3600;

/** Counts completions per second over a window of one minute; `nowMs` is a monotonic clock. */
export function createPace(nowMs: () => number): Pace {
  const startedAt = nowMs();
  const bySecond = new Map<number, number>();
  const seconds = () => Math.floor((nowMs() - startedAt) / 1000);

  function forgetOld(now: number): void {
    for (const second of bySecond.keys()) {
      if (second > now - WINDOW_SECONDS) return;
      bySecond.delete(second);
    }
  }

  return {
    count() {
      const now = seconds();
      forgetOld(now);
      bySecond.set(now, (bySecond.get(now) ?? 0) + 1);
    },
    estimateSeconds(jobs) {
      const now = seconds();
      forgetOld(now);
      let ended = 0;
      for (const count of bySecond.values()) ended += count;
      // No job finished in the window, so the rate is unknown; retry after one window.
      if (ended === 0) return WINDOW_SECONDS;
      const perSecond = ended / Math.min(WINDOW_SECONDS, now + 1);
      return Math.min(MAX_SECONDS, Math.max(1, Math.ceil(jobs / perSecond)));
    },
  };
}
