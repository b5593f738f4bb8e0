import type { RateStore } from '../../storage/ports.ts';

const HOUR_MS = 3_600_000;

/** Where an account stands in the current hour. `limit` null = unlimited. */
export interface RateState {
  readonly allowed: boolean;
  readonly limit: number | null;
  readonly used: number;
  readonly resetMs: number;
}

/** Counts requests per account and clock hour; what is allowed holds over restarts and for all processes together. */
export interface RateLimiter {
  /** Counts a request: at once out of what is reserved, which is nearly always, else when the store has answered. */
  take(accountId: string, limit: number | null, nowMs: number): RateState | Promise<RateState>;
  peek(accountId: string, limit: number | null, nowMs: number): Promise<RateState>;
  /** Gives back what was reserved and not used; for the end of the process. */
  giveBack(): Promise<void>;
}

interface Window {
  readonly startMs: number;
  /** Reserved in the store by all processes, as last heard. */
  stored: number;
  /** Reserved by this process and not used yet. */
  left: number;
  reserving: Promise<void> | undefined;
}

const BLOCK_MAX = 1_000;

/** Requests reserved in one write: a hundredth of the limit, which is what one crash may cost an account for the hour. */
export function blockOf(limit: number | null): number {
  return limit === null ? BLOCK_MAX : Math.max(1, Math.min(BLOCK_MAX, Math.floor(limit / 100)));
}

/**
 * A limiter that reserves requests in the store before it allows them, in blocks, so that a light request seldom costs
 * a write and a process that is killed never grants more than the limit: what it had reserved stays counted as used.
 */
export function createRateLimiter(rates: RateStore): RateLimiter {
  const windows = new Map<string, Window>();
  let hourMs = 0;

  function current(accountId: string, nowMs: number): Window {
    const startMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    if (startMs !== hourMs) windows.clear();
    hourMs = startMs;
    const known = windows.get(accountId);
    if (known) return known;
    const window: Window = { startMs, stored: 0, left: 0, reserving: undefined };
    windows.set(accountId, window);
    return window;
  }

  async function reserve(accountId: string, window: Window, limit: number | null): Promise<void> {
    const { startMs } = window;
    const { count, granted } = await rates.reserve(
      { accountId, windowStartMs: startMs, count: blockOf(limit) },
      limit,
      startMs - HOUR_MS,
    );
    window.stored = count;
    window.left += granted;
  }

  const state = (window: Window, limit: number | null, allowed: boolean, nowMs: number): RateState => ({
    allowed,
    limit,
    used: window.stored - window.left,
    resetMs: Math.max(0, window.startMs + HOUR_MS - nowMs),
  });

  /** Undefined when more must be reserved first. */
  function takeReserved(window: Window, limit: number | null, nowMs: number): RateState | undefined {
    if (limit !== null && window.stored - window.left >= limit) return state(window, limit, false, nowMs);
    if (window.left <= 0) return undefined;
    window.left--;
    return state(window, limit, true, nowMs);
  }

  async function takeWhenReserved(
    accountId: string,
    window: Window,
    limit: number | null,
    nowMs: number,
  ): Promise<RateState> {
    for (;;) {
      window.reserving ??= reserve(accountId, window, limit).finally(() => {
        window.reserving = undefined;
      });
      await window.reserving;
      const taken = takeReserved(window, limit, nowMs);
      if (taken) return taken;
    }
  }

  return {
    take(accountId, limit, nowMs) {
      const window = current(accountId, nowMs);
      return takeReserved(window, limit, nowMs) ?? takeWhenReserved(accountId, window, limit, nowMs);
    },
    async peek(accountId, limit, nowMs) {
      const window = current(accountId, nowMs);
      if (window.stored === 0) window.stored = await rates.get(accountId, window.startMs);
      return state(window, limit, true, nowMs);
    },
    async giveBack() {
      const counts = [...windows].flatMap(([accountId, { startMs, left }]) =>
        left > 0 ? [{ accountId, windowStartMs: startMs, count: left }] : [],
      );
      windows.clear();
      if (counts.length > 0) await rates.giveBack(counts);
    },
  };
}
