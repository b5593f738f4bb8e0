import type { Environment } from '../../domain/account.ts';
import { HOUR_MS } from '../../lib/durations.ts';
import type { RateStore } from '../../storage/ports.ts';

/** Usage of an account in the current hour. A null `limit` means unlimited. */
export interface RateState {
  readonly allowed: boolean;
  readonly limit: number | null;
  readonly used: number;
  readonly resetMs: number;
}

/** Counts requests per account of its environment and clock hour, across restarts and all processes. */
export interface RateLimiter {
  take(accountId: string, limit: number | null, nowMs: number): Promise<RateState>;
  peek(accountId: string, limit: number | null, nowMs: number): Promise<RateState>;
}

/** Returns the start of the clock hour. */
const findHourStart = (nowMs: number): number => Math.floor(nowMs / HOUR_MS) * HOUR_MS;

/** Creates the usage of an account in the hour that begins at `startMs`. */
function makeRateState({
  startMs,
  nowMs,
  ...usage
}: Omit<RateState, 'resetMs'> & { readonly startMs: number; readonly nowMs: number }): RateState {
  return { ...usage, resetMs: Math.max(0, startMs + HOUR_MS - nowMs) };
}

/** This process's view of an account's current hour. */
interface Window {
  readonly startMs: number;
  /** Requests of all processes, as of the last response of the store. */
  stored: number;
  /** Requests of this process not yet stored. */
  unstored: number;
}

/**
 * Creates a limiter that counts every request in the store before allowing it. While the store cannot write (full disk,
 * lock held elsewhere), requests are counted in memory, so reads keep working, and stored later.
 */
export function createRateLimiter(rates: RateStore, environment: Environment): RateLimiter {
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

  return {
    async take(accountId, limit, nowMs) {
      const window = findWindow(accountId, nowMs);
      const { startMs, unstored } = window;
      window.unstored = 0;
      try {
        const { total, granted } = await rates.add(
          { accountId, environment, windowStartMs: startMs, count: unstored + 1 },
          limit,
        );
        window.stored = total;
        if (!granted) window.unstored += unstored;
        return makeRateState({ startMs, nowMs, limit, used: total, allowed: granted });
      } catch {
        window.unstored += unstored;
        const used = window.stored + window.unstored + 1;
        const allowed = limit === null || used <= limit;
        if (allowed) window.unstored++;
        return makeRateState({ startMs, nowMs, limit, used, allowed });
      }
    },
    async peek(accountId, limit, nowMs) {
      const window = findWindow(accountId, nowMs);
      const { startMs } = window;
      window.stored = await rates.get({ accountId, environment, windowStartMs: startMs });
      const used = window.stored + window.unstored;
      return makeRateState({ startMs, nowMs, limit, used, allowed: true });
    },
  };
}
