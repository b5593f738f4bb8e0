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
 * so counts survive restarts and cover all processes. While the store cannot write (full disk, lock held elsewhere), it
 * counts on in memory from the last stored value, so reads keep working and the limit holds.
 */
export function createRateLimiter(rates: Store['requestCounts'], environment: Environment) {
  /** Requests of each account in the current hour. */
  const counts = new Map<string, number>();
  let windowStartMs = 0;

  /** Returns the current hour, and the time until it ends. */
  function findWindow(nowMs: number) {
    const startMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    if (startMs !== windowStartMs) counts.clear();
    windowStartMs = startMs;
    return { windowStartMs, resetMs: startMs + HOUR_MS - nowMs };
  }

  return {
    async take(accountId: string, limit: number | null, nowMs: number): Promise<RateState> {
      const { resetMs, ...window } = findWindow(nowMs);
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
      const { resetMs, ...window } = findWindow(nowMs);
      return { allowed: true, limit, used: await rates.get({ accountId, environment, ...window }), resetMs };
    },
  };
}
export type RateLimiter = ReturnType<typeof createRateLimiter>;
