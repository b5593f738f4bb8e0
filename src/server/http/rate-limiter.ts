import { HOUR_MS } from '../../lib/durations.ts';
import type { RateStore } from '../../storage/ports.ts';

/** Where an account stands in the current hour. `limit` null = unlimited. */
export interface RateState {
  readonly allowed: boolean;
  readonly limit: number | null;
  readonly used: number;
  readonly resetMs: number;
}

/** Counts requests per account and clock hour; what is allowed holds over restarts and for all processes together. */
export interface RateLimiter {
  take(accountId: string, limit: number | null, nowMs: number): Promise<RateState>;
  peek(accountId: string, limit: number | null, nowMs: number): Promise<RateState>;
}

/** What this process knows of one account's hour. */
interface Window {
  readonly startMs: number;
  /** Requests of all processes, as the store last said. */
  stored: number;
  /** Requests of this process that the store could not take yet. */
  unsaved: number;
}

/**
 * Creates a limiter that counts every request in the store before it is allowed. While the store cannot write (full
 * disk, lock held elsewhere) requests are counted in memory, so that reads go on, and stored when it can again.
 */
export function createRateLimiter(rates: RateStore): RateLimiter {
  const windows = new Map<string, Window>();
  let hourMs = 0;

  function findWindow(accountId: string, nowMs: number): Window {
    const startMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    if (startMs !== hourMs) windows.clear();
    hourMs = startMs;
    const window = windows.get(accountId) ?? { startMs, stored: 0, unsaved: 0 };
    windows.set(accountId, window);
    return window;
  }

  const state = (
    { startMs }: Window,
    limit: number | null,
    used: number,
    allowed: boolean,
    nowMs: number,
  ) => ({ allowed, limit, used, resetMs: Math.max(0, startMs + HOUR_MS - nowMs) });

  return {
    async take(accountId, limit, nowMs) {
      const window = findWindow(accountId, nowMs);
      const { startMs, unsaved } = window;
      window.unsaved = 0;
      try {
        const { total, granted } = await rates.add(
          { accountId, windowStartMs: startMs, count: unsaved + 1 },
          limit,
        );
        window.stored = total;
        if (!granted) window.unsaved += unsaved;
        return state(window, limit, total, granted, nowMs);
      } catch {
        window.unsaved += unsaved;
        const used = window.stored + window.unsaved + 1;
        const allowed = limit === null || used <= limit;
        if (allowed) window.unsaved++;
        return state(window, limit, used, allowed, nowMs);
      }
    },
    async peek(accountId, limit, nowMs) {
      const window = findWindow(accountId, nowMs);
      window.stored = await rates.get(accountId, window.startMs);
      return state(window, limit, window.stored + window.unsaved, true, nowMs);
    },
  };
}
