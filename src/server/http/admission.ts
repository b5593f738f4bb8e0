import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../services.ts';
import type { Allowance } from './anonymous-limiter.ts';
import { ApiError } from './api-error.ts';
import { authorize, findCaller, recordKeyUse } from './auth.ts';
import type { App, Caller } from './fastify-types.ts';
import type { RateState } from './rate-limiter.ts';
import { applySimulation, parseSimulation } from './simulate.ts';

/** Largest integer of structured fields; represents "unlimited". */
const UNLIMITED = 999_999_999_999_999;

/** Sets `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers). */
function setRateHeaders(reply: FastifyReply, name: string, windowSeconds: number, rate: RateState): void {
  const limit = rate.limit ?? UNLIMITED;
  const remaining = Math.max(0, limit - rate.used);
  reply.header('ratelimit-policy', `"${name}";q=${limit};w=${windowSeconds}`);
  reply.header('ratelimit', `"${name}";r=${remaining};t=${Math.ceil(rate.resetMs / 1000)}`);
}

const makeRateError = (message: string, { resetMs }: RateState, details?: ApiError['details']) =>
  new ApiError('RATE_LIMIT_EXCEEDED', message, {
    details,
    headers: { 'retry-after': String(Math.max(1, Math.ceil(resetMs / 1000))) },
  });

/** Enforces the account's concurrency and hourly limits; a request refused for concurrency is not counted. */
async function admit(
  reply: FastifyReply,
  { account, limits }: Caller,
  nowMs: number,
  { slots, rates, settings: { environment }, self }: Services,
): Promise<void> {
  const { concurrentRequests, requestsPerHour } = limits;
  if (concurrentRequests !== null) {
    const request = { accountId: account.id, environment, processId: self.id };
    const releaseSlot = await slots.take(request, concurrentRequests);
    if (!releaseSlot) {
      setRateHeaders(reply, 'hour', 3600, await rates.peek(account.id, requestsPerHour, nowMs));
      throw new ApiError(
        'CONCURRENCY_LIMIT_EXCEEDED',
        `This account may make ${concurrentRequests} requests at the same time.`,
        { details: { limit: concurrentRequests, plan: account.plan }, headers: { 'retry-after': '1' } },
      );
    }
    // A closed connection also ends a request; then there is no response to end it.
    if (reply.raw.closed) releaseSlot();
    else reply.raw.once('close', releaseSlot);
  }
  const rate = await rates.take(account.id, requestsPerHour, nowMs);
  setRateHeaders(reply, 'hour', 3600, rate);
  if (rate.allowed) return;
  const message = `This account may make ${rate.limit} requests per hour; they are used up.`;
  throw makeRateError(message, rate, { limit: rate.limit, plan: account.plan });
}

/** Counts a request to a public or unknown URL, or without a valid key, by its address. */
async function admitAnonymous(
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
  allowance: Allowance,
): Promise<void> {
  const rate = services.anonymousLimiter.take(request.ip, allowance, services.clock.wallMs());
  setRateHeaders(reply, 'address', 60, rate);
  if (!rate.allowed)
    throw makeRateError('Too many requests without a valid API key from this address.', rate);
}

/**
 * Registers limits for every route, and authentication and permissions for those that are not public, before any body
 * is read. Unknown URLs count against the anonymous allowance, so probing for routes is limited.
 */
export function registerAdmission(app: App, services: Services): void {
  for (const name of ['caller', 'uploads', 'endUpload', 'openUpload']) app.decorateRequest(name, null);
  app.decorateRequest('simulate');

  app.addHook('onRequest', (request, reply) => admitRequest(request, reply, services));
}

/** Authenticates, limits and authorizes a request. */
async function admitRequest(request: FastifyRequest, reply: FastifyReply, services: Services): Promise<void> {
  const { config } = request.routeOptions;
  request.simulate = {};
  if (request.is404) return admitAnonymous(request, reply, services, 'keys');
  if (config.public) return admitAnonymous(request, reply, services, config.allowance ?? 'documents');
  const nowMs = services.clock.wallMs();
  let caller: Caller;
  try {
    caller = await findCaller(request, nowMs, services);
  } catch (error) {
    // An unreachable store does not prove the key invalid.
    if (error instanceof ApiError) await admitAnonymous(request, reply, services, 'keys');
    throw error;
  }
  request.caller = caller;
  await admit(reply, caller, nowMs, services);
  authorize(caller, config.permission);
  recordKeyUse(caller, nowMs, services);
  if (services.settings.sandbox)
    request.simulate = parseSimulation(request.headers['x-vehi-simulate']?.toString());
  await applySimulation(request.simulate);
}
