import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readEnvironment } from '../../domain/api-key.ts';
import type { Permission } from '../../domain/choices.ts';
import { MINUTE_MS } from '../../lib/durations.ts';
import { hashBytes } from '../../lib/ids.ts';
import { ASSESSMENT_PATH, VISUAL_PATH } from '../present-record.ts';
import type { Services } from '../services.ts';
import { ApiError } from './api-error.ts';
import type { App, Caller } from './app-type.ts';
import { type Allowance, findLimits, type RequestKind, setRateHeaders } from './limits.ts';
import type { RateState } from './rate-limiter.ts';
import { findSession } from './session.ts';
import { makeSimulatedError, parseSimulation, type Simulation } from './simulate.ts';

const HINT = 'Send the header "Authorization: Bearer <API_KEY>".';

const makeMissingKeyError = () =>
  new ApiError('MISSING_API_KEY', `No API key was sent. ${HINT}`, {
    headers: { 'www-authenticate': 'Bearer' },
  });

const makeInvalidKeyError = (why: string) =>
  new ApiError('INVALID_API_KEY', why, { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } });

/** Returns the key's text from the header, or from the query for `dev_` keys only. */
function readKeyText(request: FastifyRequest): string {
  const header = request.headers.authorization;
  if (header !== undefined) {
    if (/^(Bearer)?\s*$/i.test(header)) throw makeMissingKeyError();
    const match = /^Bearer +([\x21-\x7e]+) *$/i.exec(header);
    if (!match?.[1])
      throw makeInvalidKeyError(`The Authorization header is not of the form "Bearer <API_KEY>". ${HINT}`);
    return match[1];
  }
  const query = (request.query as Record<string, unknown>).api_key;
  if (query === undefined || query === '') throw makeMissingKeyError();
  if (typeof query !== 'string') throw makeInvalidKeyError('The query has more than one api_key.');
  if (readEnvironment(query) === 'production') {
    throw makeInvalidKeyError(
      `Production keys are not accepted in the query, where logs keep them: treat this one as leaked and rotate it. ${HINT}`,
    );
  }
  return query;
}

/** Checks that a key is active. @throws ApiError INVALID_API_KEY with the reason */
function checkKey({ key, account }: Pick<Caller, 'key' | 'account'>, nowMs: number): Caller {
  if (key.revokedAt !== null) throw makeInvalidKeyError('The API key has been revoked.');
  if (key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs) {
    throw makeInvalidKeyError(`The API key expired on ${key.expiresAt}.`);
  }
  return { account, key, limits: findLimits(account) };
}

/** Looks up the caller of a key. @throws ApiError INVALID_API_KEY with the reason */
async function identify(text: string, nowMs: number, { store, settings }: Services): Promise<Caller> {
  const environment = readEnvironment(text);
  if (environment !== undefined && environment !== settings.environment) {
    const accepted =
      settings.environment === 'sandbox' ? 'the sandbox accepts dev_ keys' : 'production accepts prod_ keys';
    throw makeInvalidKeyError(`This key belongs to another environment: ${accepted}.`);
  }
  const found = environment && (await store.keys.find(hashBytes(text)));
  if (!found || found.key.environment !== settings.environment)
    throw makeInvalidKeyError('The API key is not known.');
  return checkKey(found, nowMs);
}

/** Looks up the caller of a key used to sign in. @throws ApiError with the reason if the key may not sign in */
export async function identifyKey(text: string, services: Services): Promise<Caller> {
  const caller = await identify(text, services.clock.wallMs(), services);
  authorise(caller, undefined);
  return caller;
}

/** Returns the caller of a page's session, or null if it has ended. */
export async function findSignedIn(request: FastifyRequest, services: Services): Promise<Caller | null> {
  try {
    const found = await findSession(request, services);
    if (!found) return null;
    const caller = checkKey(found, services.clock.wallMs());
    authorise(caller, undefined);
    request.session = found.session;
    return caller;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Returns the caller by key or, if none was sent, by the page's session. */
async function findCaller(request: FastifyRequest, nowMs: number, services: Services): Promise<Caller> {
  const query = request.query as Record<string, unknown>;
  const sent = request.headers.authorization !== undefined || (query.api_key ?? '') !== '';
  const found = sent ? undefined : await findSession(request, services);
  if (!found) return identify(readKeyText(request), nowMs, services);
  request.session = found.session;
  return checkKey(found, nowMs);
}

function authorise({ account, key }: Caller, permission: Permission | undefined): void {
  const refuse = (reason: string, message: string, more: Record<string, unknown> = {}) =>
    new ApiError('INSUFFICIENT_PERMISSIONS', message, { details: { reason, ...more } });
  if (account.status === 'suspended') throw refuse('suspended', 'The account is suspended.');
  if (key.environment === 'production' && account.plan === 'free') {
    throw refuse('plan', 'Production keys need a paid plan.', { plan: account.plan });
  }
  if (permission !== undefined && !key.permissions.includes(permission)) {
    throw refuse('permission', `The API key lacks the permission ${permission}.`, { required: permission });
  }
}

const TOUCH_MS = MINUTE_MS;

/** Records the last use of a key at most once a minute, without delaying the response. */
function touch({ key }: Caller, nowMs: number, { store, log }: Services): void {
  if (key.lastUsedAt !== null && nowMs - Date.parse(key.lastUsedAt) < TOUCH_MS) return;
  // The last use is informational, so failing to store it fails no request: reads must work on a full disk.
  store.keys.touch(key.id, new Date(nowMs).toISOString()).catch((error: unknown) => {
    log.warn({ key: key.id, err: error }, 'last use of the key could not be stored');
  });
}

/** Enforces the account's rate and concurrency limits; `rate` already counts this request. */
async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  { account, limits }: Caller,
  rate: RateState,
  services: Services,
): Promise<void> {
  setRateHeaders(reply, 'hour', 3600, rate);
  if (!rate.allowed) {
    throw new ApiError(
      'RATE_LIMIT_EXCEEDED',
      `The plan allows ${rate.limit} requests per hour; they are used up.`,
      {
        details: { limit: rate.limit, plan: account.plan },
        headers: { 'retry-after': String(Math.max(1, Math.ceil(rate.resetMs / 1000))) },
      },
    );
  }
  const { concurrentRequests } = limits;
  if (concurrentRequests === null) return;
  const releaseSlot = await services.gate.enter(account.id, concurrentRequests, classifyRequest(request));
  if (!releaseSlot) {
    throw new ApiError(
      'CONCURRENCY_LIMIT_EXCEEDED',
      `The plan allows ${concurrentRequests} requests at the same time.`,
      { details: { limit: concurrentRequests, plan: account.plan }, headers: { 'retry-after': '1' } },
    );
  }
  request.releaseSlot = releaseSlot;
  // If the client disconnects, no response ends the request, so the socket's close event must.
  if (reply.raw.closed) releaseGate(request);
  else reply.raw.once('close', () => releaseGate(request));
}

/** Returns the kind of a request; only creating an inspection or assessment occupies a slot for long. */
function classifyRequest({ method, routeOptions }: FastifyRequest): RequestKind {
  const creates = routeOptions.url === VISUAL_PATH || routeOptions.url === ASSESSMENT_PATH;
  return method === 'POST' && creates ? 'creation' : 'light';
}

function releaseGate(request: FastifyRequest): void {
  request.releaseSlot?.();
  request.releaseSlot = null;
}

/** Counts a caller without a valid key by its address. */
async function admitAnonymous(
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
  allowance: Allowance,
): Promise<void> {
  const rate = await services.anonymousCallers.take(request.ip, allowance, services.clock.wallMs());
  setRateHeaders(reply, 'address', 60, rate);
  if (!rate.allowed) {
    throw new ApiError(
      'RATE_LIMIT_EXCEEDED',
      'Too many requests without a valid API key from this address.',
      { headers: { 'retry-after': String(Math.max(1, Math.ceil(rate.resetMs / 1000))) } },
    );
  }
}

/**
 * Registers authentication, permissions and limits for every non-public route, before any body is read. Unknown URLs
 * count against the anonymous allowance, so probing for routes is limited.
 */
export function registerAuth(app: App, services: Services): void {
  app.decorateRequest('caller', null);
  app.decorateRequest('session', null);
  app.decorateRequest('releaseSlot', null);
  app.decorateRequest('uploads', null);
  app.decorateRequest('endUpload', null);
  app.decorateRequest('openUpload', null);
  app.decorateRequest('simulate');

  app.addHook('onRequest', (request, reply) => authenticate(request, reply, services));
  app.addHook('onResponse', async (request) => releaseGate(request));
}

/** Authenticates, limits and authorizes a request. */
async function authenticate(request: FastifyRequest, reply: FastifyReply, services: Services): Promise<void> {
  const { config } = request.routeOptions;
  request.simulate = services.settings.sandbox
    ? parseSimulation(joinHeader(request.headers['x-vehi-simulate']))
    : {};
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
  const rate = await services.rates.take(caller.account.id, caller.limits.requestsPerHour, nowMs);
  await admit(request, reply, caller, rate, services);
  authorise(caller, config.permission);
  touch(caller, nowMs, services);
  await applySimulation(request.simulate);
}

/** Applies the simulated delay and error of a sandbox request. */
async function applySimulation({ delayMs, error }: Simulation): Promise<void> {
  if (delayMs !== undefined) await sleep(delayMs);
  if (error !== undefined) throw makeSimulatedError(error);
}

function joinHeader(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header;
}

/** Returns the caller of an authenticated route. */
export function readCaller(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('route without authentication asks for its caller');
  return request.caller;
}
