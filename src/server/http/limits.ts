import type { Account, Plan, RateCount, RateStore } from '../../storage/ports.ts';

interface PlanLimits {
  /** null = unlimited. */
  readonly requestsPerHour: number | null;
  readonly concurrentRequests: number | null;
}

/** Limits of the contract ("Rate limits by plan"); "custom" = none unless set on the account. */
export const PLAN_LIMITS: Readonly<Record<Plan, PlanLimits>> = {
  free: { requestsPerHour: 1_000, concurrentRequests: 5 },
  starter: { requestsPerHour: 10_000, concurrentRequests: 20 },
  professional: { requestsPerHour: 100_000, concurrentRequests: 100 },
  enterprise: { requestsPerHour: null, concurrentRequests: null },
};

/** What holds for an account: its plan, with its own overrides. */
export function limitsOf(account: Account): PlanLimits {
  const plan = PLAN_LIMITS[account.plan];
  return {
    requestsPerHour: account.requestsPerHour ?? plan.requestsPerHour,
    concurrentRequests: account.concurrentRequests ?? plan.concurrentRequests,
  };
}

const HOUR_MS = 3_600_000;

/** Where an account stands in the current hour. `limit` null = unlimited. */
export interface RateState {
  readonly allowed: boolean;
  readonly limit: number | null;
  readonly used: number;
  readonly resetMs: number;
}

/** Counts requests per account and clock hour; counts are kept over a restart. */
export interface RateLimiter {
  take(accountId: string, limit: number | null, nowMs: number): Promise<RateState>;
  peek(accountId: string, limit: number | null, nowMs: number): Promise<RateState>;
  /** Writes counts not yet stored; called every second and at the end. */
  flush(nowMs: number): Promise<void>;
}

interface Window {
  readonly startMs: number;
  stored: number;
  unstored: number;
}

/** A limiter that counts in memory and adds up in the store, so that a light request costs no write. */
export function createRateLimiter(rates: RateStore): RateLimiter {
  const windows = new Map<string, Window>();
  const loading = new Map<string, Promise<Window>>();

  async function load(accountId: string, startMs: number): Promise<Window> {
    const before = windows.get(accountId);
    if (before && before.unstored > 0) {
      await rates.add([{ accountId, windowStartMs: before.startMs, count: before.unstored }], 0);
    }
    const window = { startMs, stored: await rates.get(accountId, startMs), unstored: 0 };
    windows.set(accountId, window);
    return window;
  }

  function current(accountId: string, nowMs: number): Window | Promise<Window> {
    const startMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    const known = windows.get(accountId);
    if (known?.startMs === startMs) return known;
    const under = loading.get(accountId);
    if (under) return under;
    const started = load(accountId, startMs).finally(() => loading.delete(accountId));
    loading.set(accountId, started);
    return started;
  }

  const state = (window: Window, limit: number | null, allowed: boolean, nowMs: number): RateState => ({
    allowed,
    limit,
    used: window.stored + window.unstored,
    resetMs: window.startMs + HOUR_MS - nowMs,
  });

  return {
    async take(accountId, limit, nowMs) {
      const window = await current(accountId, nowMs);
      const allowed = limit === null || window.stored + window.unstored < limit;
      if (allowed) window.unstored++;
      return state(window, limit, allowed, nowMs);
    },
    async peek(accountId, limit, nowMs) {
      return state(await current(accountId, nowMs), limit, true, nowMs);
    },
    async flush(nowMs) {
      const counts: RateCount[] = [];
      for (const [accountId, window] of windows) {
        if (window.unstored > 0)
          counts.push({ accountId, windowStartMs: window.startMs, count: window.unstored });
        window.stored += window.unstored;
        window.unstored = 0;
        if (window.startMs + HOUR_MS < nowMs) windows.delete(accountId);
      }
      if (counts.length === 0) return;
      await rates.add(counts, nowMs - 2 * HOUR_MS);
      for (const { accountId, windowStartMs } of counts) {
        const window = windows.get(accountId);
        if (window?.startMs === windowStartMs) window.stored = await rates.get(accountId, windowStartMs);
      }
    },
  };
}

/** Structured-field integers end here; it stands for "unlimited". */
const UNLIMITED = 999_999_999_999_999;

/** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers) for where an account stands. */
export function rateHeaders(name: string, windowSeconds: number, rate: RateState): Record<string, string> {
  const limit = rate.limit ?? UNLIMITED;
  return {
    'ratelimit-policy': `"${name}";q=${limit};w=${windowSeconds}`,
    ratelimit: `"${name}";r=${Math.max(0, limit - rate.used)};t=${Math.ceil(rate.resetMs / 1000)}`,
  };
}

/** Counts per client address and minute, in memory: for callers without a valid key. */
export function createStrangerLimiter(perMinute: number) {
  const counts = new Map<string, number>();
  let minute = 0;
  return {
    take(address: string, nowMs: number, cost: 0 | 1): RateState {
      const now = Math.floor(nowMs / 60_000);
      if (now !== minute) {
        counts.clear();
        minute = now;
      }
      const used = (counts.get(address) ?? 0) + cost;
      if (cost > 0) counts.set(address, used);
      return { allowed: used <= perMinute, limit: perMinute, used, resetMs: (now + 1) * 60_000 - nowMs };
    },
  };
}

/** Requests in flight per account. */
export function createConcurrencyGate() {
  const inFlight = new Map<string, number>();
  return {
    /** False when the account is at its limit; else `leave` must be called once. */
    enter(accountId: string, limit: number | null): boolean {
      const now = inFlight.get(accountId) ?? 0;
      if (limit !== null && now >= limit) return false;
      inFlight.set(accountId, now + 1);
      return true;
    },
    leave(accountId: string): void {
      const now = (inFlight.get(accountId) ?? 1) - 1;
      if (now <= 0) inFlight.delete(accountId);
      else inFlight.set(accountId, now);
    },
  };
}
