import { createHmac } from 'node:crypto';
import type { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { HOUR_MS, MINUTE_MS } from '../../lib/durations.ts';
import {
  type Allowance,
  type AnonymousLimiter,
  computeAllowance,
  toNetwork,
} from '../http/anonymous-limiter.ts';
import { type ConcurrencyGate, createConcurrencyGate } from '../http/concurrency-gate.ts';
import { findHourStart, makeRateState, type RateLimiter } from '../http/rate-limiter.ts';
import { acquireSlot } from './semaphore.ts';

/** Time after which the slot of a dead process is free again. */
const SLOT_LEASE_MS = 30_000;

interface LimitParts {
  readonly client: Redis;
  /** Prefix of every key. */
  readonly prefix: string;
  /** Number of processes that share a limit while Redis is unreachable. */
  readonly countProcesses: () => number;
  /** Called for each request counted without Redis. */
  readonly onFallback?: () => void;
}

/** In-memory fallback that reports each use. */
class FallbackLimiter extends RateLimiterMemory {
  readonly #onUse: (() => void) | undefined;

  constructor(options: ConstructorParameters<typeof RateLimiterMemory>[0], onUse: (() => void) | undefined) {
    super(options);
    this.#onUse = onUse;
  }

  override consume(...args: Parameters<RateLimiterMemory['consume']>): Promise<RateLimiterRes> {
    this.#onUse?.();
    return super.consume(...args);
  }
}

/** Creates limiters by their points per window; each falls back to its in-memory share while Redis is unreachable. */
function createLimiters(
  { client, prefix, countProcesses, onFallback }: LimitParts,
  name: string,
  seconds: number,
) {
  const limiters = new Map<string, RateLimiterAbstract>();
  return (points: number): RateLimiterAbstract => {
    const share = Math.max(1, Math.floor(points / countProcesses()));
    const key = `${points} ${share}`;
    const existing = limiters.get(key);
    if (existing) return existing;
    const keyPrefix = `${prefix}:${name}`;
    const limiter = new RateLimiterRedis({
      storeClient: client,
      points,
      duration: seconds,
      keyPrefix,
      rejectIfRedisNotReady: true,
      // Requests over the limit are refused without a round trip.
      inMemoryBlockOnConsumed: points + 1,
      insuranceLimiter: new FallbackLimiter({ points: share, duration: seconds, keyPrefix }, onFallback),
    });
    limiters.set(key, limiter);
    return limiter;
  };
}

/** Consumes one point. */
async function consume(
  limiter: RateLimiterAbstract,
  key: string,
): Promise<{ allowed: boolean; used: number }> {
  try {
    return { allowed: true, used: (await limiter.consume(key, 1)).consumedPoints };
  } catch (error) {
    if (error instanceof RateLimiterRes) return { allowed: false, used: limiter.points };
    throw error;
  }
}

/** Represents "unlimited": more than any account requests in an hour. */
const UNLIMITED = 1_000_000_000;

/** Creates a rate limiter that counts requests per account and clock hour in Redis, across all processes. */
export function createRedisRates(parts: LimitParts): RateLimiter {
  const getLimiter = createLimiters(parts, 'hour', HOUR_MS / 1000);
  return {
    async take(accountId, limit, nowMs) {
      const startMs = findHourStart(nowMs);
      const { allowed, used } = await consume(getLimiter(limit ?? UNLIMITED), `${accountId}:${startMs}`);
      return makeRateState({ startMs, nowMs, limit, used, allowed });
    },
    async peek(accountId, limit, nowMs) {
      const startMs = findHourStart(nowMs);
      const state = await getLimiter(limit ?? UNLIMITED).get(`${accountId}:${startMs}`);
      const used = Math.min(state?.consumedPoints ?? 0, limit ?? UNLIMITED);
      return makeRateState({ startMs, nowMs, limit, used, allowed: true });
    },
  };
}

/** Counts callers without a valid key per address and minute in Redis, which stores only an HMAC of the address. */
export function createRedisAnonymousLimiter(
  parts: LimitParts,
  perMinute: number,
  secret: string,
): AnonymousLimiter {
  const getLimiter = createLimiters(parts, 'address', MINUTE_MS / 1000);
  return {
    async take(address: string, allowance: Allowance, nowMs: number) {
      const limit = computeAllowance(allowance, perMinute);
      const minute = Math.floor(nowMs / MINUTE_MS);
      const resetMs = (minute + 1) * MINUTE_MS - nowMs;
      if (allowance === 'none') return { allowed: true, limit, used: 0, resetMs };
      const hash = createHmac('sha256', secret).update(toNetwork(address)).digest('base64url').slice(0, 22);
      const { allowed, used } = await consume(getLimiter(limit), `${allowance}:${hash}:${minute}`);
      return { allowed, limit, used, resetMs };
    },
  };
}

/**
 * Limits concurrent creations per account across all processes. Other requests are limited in memory to each process's
 * share, as are creations while Redis is unreachable.
 */
export function createRedisGate({ client, prefix, countProcesses, onFallback }: LimitParts): ConcurrencyGate {
  const localGates = { creation: createConcurrencyGate(), light: createConcurrencyGate() };
  const computeShare = (limit: number) => Math.max(1, Math.ceil(limit / countProcesses()));
  return {
    async enter(accountId, limit, kind) {
      if (kind === 'light') return localGates.light.enter(accountId, computeShare(limit), kind);
      const key = `${prefix}:creations:${accountId}`;
      try {
        return await acquireSlot({ client, key, limit, lockMs: SLOT_LEASE_MS });
      } catch {
        onFallback?.();
        return localGates.creation.enter(accountId, computeShare(limit), kind);
      }
    },
  };
}
