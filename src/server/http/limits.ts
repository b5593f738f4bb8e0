import { isIPv6 } from 'node:net';
import type { FastifyReply } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Plan } from '../../domain/account.ts';
import { MINUTE_MS } from '../../lib/durations.ts';
import type { Account } from '../../storage/ports.ts';
import type { RateState } from './rate-limiter.ts';

/** Limits of an account. */
export interface Limits {
  /** Null means unlimited. */
  readonly requestsPerHour: number | null;
  readonly concurrentRequests: number | null;
}

/** Limits of the contract ("Rate limits by plan"); "custom" = none unless set on the account. */
const PLAN_LIMITS: Readonly<Record<Plan, Limits>> = {
  free: { requestsPerHour: 1_000, concurrentRequests: 5 },
  starter: { requestsPerHour: 10_000, concurrentRequests: 20 },
  professional: { requestsPerHour: 100_000, concurrentRequests: 100 },
  enterprise: { requestsPerHour: null, concurrentRequests: null },
};

/** Returns the limits of an account: its plan's, overridden by its own. */
export function findLimits(account: Account): Limits {
  const plan = PLAN_LIMITS[account.plan];
  return {
    requestsPerHour: account.requestsPerHour ?? plan.requestsPerHour,
    concurrentRequests: account.concurrentRequests ?? plan.concurrentRequests,
  };
}

/** Largest integer of structured fields; represents "unlimited". */
const UNLIMITED = 999_999_999_999_999;

/** Sets `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers). */
export function setRateHeaders(
  reply: FastifyReply,
  name: string,
  windowSeconds: number,
  rate: RateState,
): void {
  const limit = rate.limit ?? UNLIMITED;
  const remaining = Math.max(0, limit - rate.used);
  reply.header('ratelimit-policy', `"${name}";q=${limit};w=${windowSeconds}`);
  reply.header('ratelimit', `"${name}";r=${remaining};t=${Math.ceil(rate.resetMs / 1000)}`);
}

/** Separate allowances of a caller without a key, so exhausting one does not block the others. */
export type Allowance = 'none' | 'keys' | 'documents' | 'files';

/** Linked files and demo photos are requested by the dozen. */
const FILES_FACTOR = 10;

/** Returns the requests per minute that an allowance grants an address. */
export function computeAllowance(allowance: Allowance, perMinute: number): number {
  return allowance === 'files' ? perMinute * FILES_FACTOR : perMinute;
}

/** Counts callers without a valid key per client address (IPv6: network) and minute. */
export interface AnonymousLimiter {
  take(address: string, allowance: Allowance, nowMs: number): Promise<RateState>;
}

/** Returns the /64 network of an IPv6 address, because one client owns all addresses in it, or the IPv4 address. */
export function toNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return parsed.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}

/** Creates an in-memory limiter. */
export function createAnonymousLimiter(perMinute: number): AnonymousLimiter {
  const counts = new Map<string, number>();
  let minute = 0;
  return {
    async take(address, allowance, nowMs) {
      const currentMinute = Math.floor(nowMs / MINUTE_MS);
      if (currentMinute !== minute) {
        counts.clear();
        minute = currentMinute;
      }
      const limit = computeAllowance(allowance, perMinute);
      const key = `${allowance} ${toNetwork(address)}`;
      const used = (counts.get(key) ?? 0) + (allowance === 'none' ? 0 : 1);
      if (used > 0) counts.set(key, used);
      return { allowed: used <= limit, limit, used, resetMs: (currentMinute + 1) * MINUTE_MS - nowMs };
    },
  };
}

/** Requests that create a job are long; all others are short. */
export type RequestKind = 'creation' | 'light';

/** Limits concurrent requests per account. */
export interface ConcurrencyGate {
  /** Returns the function that frees the slot, to be called once, or undefined if the account is at its limit. */
  enter(accountId: string, limit: number, kind: RequestKind): Promise<(() => void) | undefined>;
}

/** Creates an in-memory gate. */
export function createConcurrencyGate(): ConcurrencyGate {
  const inFlight = new Map<string, number>();
  function leave(accountId: string): void {
    const count = (inFlight.get(accountId) ?? 1) - 1;
    if (count <= 0) inFlight.delete(accountId);
    else inFlight.set(accountId, count);
  }
  return {
    async enter(accountId, limit) {
      const count = inFlight.get(accountId) ?? 0;
      if (count >= limit) return undefined;
      inFlight.set(accountId, count + 1);
      return () => leave(accountId);
    },
  };
}
