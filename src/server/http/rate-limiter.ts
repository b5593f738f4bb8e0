import type { Environment } from '../../domain/account.ts';
import { HOUR_MS } from '../../lib/durations.ts';
import type { Store } from '../../storage/ports.ts';

/** Usage of an account in the current hour, or of an address in the current minute. A null `limit` means unlimited. */
export interface RateState {
  readonly allowed: boolean;
  readonly limit: number | null;
  readonly used: number;
  readonly resetMs: number;
}

/**
 * Creates a limiter per account, environment and clock hour. It counts every request in the store before allowing it,
 * so counts survive restarts and cover all processes. While the store cannot write (full disk, lock held elsewhere), this
 * process counts on in memory from the last value that it stored, so reads keep working.
 */
export function createRateLimiter(rates: Store['requestCounts'], environment: Environment) {
  /** Requests of each account in the current hour. */
  const counts = new Map<string, number>();
  let windowStartMs = 0;

  /** Enters the current hour, without the counts of an earlier one; returns it and the time until it ends. */
  function enterWindow(nowMs: number) {
    const startMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    if (startMs !== windowStartMs) counts.clear();
    windowStartMs = startMs;
    return { windowStartMs, resetMs: startMs + HOUR_MS - nowMs };
  }

  return {
    async take(accountId: string, limit: number | null, nowMs: number): Promise<RateState> {
      const { resetMs, ...window } = enterWindow(nowMs);
      try {
        const { total, granted } = await rates.add({ accountId, environment, ...window }, limit);
        counts.set(accountId, total);
        return { allowed: granted, limit, used: total, resetMs };
      } catch {
        const used = (counts.get(accountId) ?? 0) + 1;
        const allowed = limit === null || used <= limit;
        if (allowed) counts.set(accountId, used);
        return { allowed, limit, used, resetMs };
      }
    },
    /** Returns the usage without counting a request. */
    async peek(accountId: string, limit: number | null, nowMs: number): Promise<RateState> {
      const { resetMs, ...window } = enterWindow(nowMs);
      return { allowed: true, limit, used: await rates.get({ accountId, environment, ...window }), resetMs };
    },
  };
}
export type RateLimiter = ReturnType<typeof createRateLimiter>;
