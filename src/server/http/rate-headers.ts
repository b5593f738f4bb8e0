import type { FastifyReply } from 'fastify';
import type { RateState } from './rate-limiter.ts';

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
