/** Weight of a new interval in the moving average. */
const WEIGHT = 0.3;

/**
 * Creates a predictor of how long an account's next job waits behind the account's other jobs, from the rate at which
 * jobs end in this process, measured on a monotonic clock in milliseconds.
 */
export function createInlineBacklog() {
  const openJobs = new Map<string, number>();
  // Starts at 0, so that one slow job after startup has little effect.
  let intervalMs = 0;
  let lastEndMs = 0;
  const end = (accountId: string, startedMs: number) => {
    const left = (openJobs.get(accountId) ?? 1) - 1;
    if (left > 0) openJobs.set(accountId, left);
    else openJobs.delete(accountId);
    const sampleMs = performance.now() - Math.max(startedMs, lastEndMs);
    intervalMs += WEIGHT * (sampleMs - intervalMs);
    lastEndMs = performance.now();
  };
  return {
    /** Returns the expected wait in milliseconds; 0 until a job has ended. */
    expectMs: (accountId: string) => (openJobs.get(accountId) ?? 0) * intervalMs,
    /** Counts a job as open until it ends. */
    add(accountId: string, jobEnd: Promise<void>) {
      const startedMs = performance.now();
      openJobs.set(accountId, (openJobs.get(accountId) ?? 0) + 1);
      void jobEnd.finally(() => end(accountId, startedMs));
    },
  };
}
