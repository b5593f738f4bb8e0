import type { Environment } from '../../domain/account.ts';
import { HOUR_MS } from '../../lib/durations.ts';
import type { Store } from '../../storage/ports.ts';

/** Usage of an account in the current hour. A null `limit` means unlimited. */
export interface RateState {
  readonly allowed: boolean;
  readonly limit: number | null;
  readonly used: number;
  readonly resetMs: number;
}

/** Returns the start of the clock hour. */
const findHourStart = (nowMs: number): number => Math.floor(nowMs / HOUR_MS) * HOUR_MS;

/** This process's view of an account's current hour. */
interface Window {
  readonly startMs: number;
  /** Requests of all processes, as of the last response of the store. */
  stored: number;
  /** Requests of this process not yet stored. */
  unstored: number;
}

/**
 * Creates a limiter per account, environment and clock hour that counts every request in the store before allowing it,
 * across restarts and all processes. While the store cannot write (full disk,
 * lock held elsewhere), requests are counted in memory, so reads keep working, and stored later.
 */
export function createRateLimiter(rates: Store['rates'], environment: Environment) {
  const windows = new Map<string, Window>();
  let currentHourMs = 0;

  function findWindow(accountId: string, nowMs: number): Window {
    const startMs = findHourStart(nowMs);
    if (startMs !== currentHourMs) windows.clear();
    currentHourMs = startMs;
    const window = windows.get(accountId) ?? { startMs, stored: 0, unstored: 0 };
    windows.set(accountId, window);
    return window;
  }

  const untilNextHour = ({ startMs }: Window, nowMs: number) => Math.max(0, startMs + HOUR_MS - nowMs);

  return {
    async take(accountId: string, limit: number | null, nowMs: number): Promise<RateState> {
      const window = findWindow(accountId, nowMs);
      const resetMs = untilNextHour(window, nowMs);
      const { startMs, unstored } = window;
      window.unstored = 0;
      try {
        const { total, granted } = await rates.add(
          { accountId, environment, windowStartMs: startMs, count: unstored + 1 },
          limit,
        );
        window.stored = total;
        if (!granted) window.unstored += unstored;
        return { allowed: granted, limit, used: total, resetMs };
      } catch {
        window.unstored += unstored;
        const used = window.stored + window.unstored + 1;
        const allowed = limit === null || used <= limit;
        if (allowed) window.unstored++;
        return { allowed, limit, used, resetMs };
      }
    },
    /** Returns the usage without counting a request. */
    async peek(accountId: string, limit: number | null, nowMs: number): Promise<RateState> {
      const window = findWindow(accountId, nowMs);
      window.stored = await rates.get({ accountId, environment, windowStartMs: window.startMs });
      const used = window.stored + window.unstored;
      return { allowed: true, limit, used, resetMs: untilNextHour(window, nowMs) };
    },
  };
}
export type RateLimiter = ReturnType<typeof createRateLimiter>;
