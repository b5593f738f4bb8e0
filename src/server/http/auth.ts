import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../contract/errors.ts';
import type { Permission } from '../../domain/account.ts';
import { readEnvironment } from '../../domain/api-key.ts';
import { hashBytes } from '../../lib/ids.ts';
import { getKeyStatus } from '../../storage/keys.ts';
import type { Scoped } from '../../storage/ports.ts';
import type { ReviewServices, Services } from '../services.ts';
import { ApiError } from './api-error.ts';
import type { Caller } from './fastify-types.ts';
import { findLimits } from './plan-limits.ts';
import { findSession, TOUCH_INTERVAL_MS } from './session.ts';

const HINT = 'Send the header "Authorization: Bearer <API_KEY>".';

const makeMissingKeyError = () =>
  new ApiError('MISSING_API_KEY', `No API key was sent. ${HINT}`, {
    headers: { 'www-authenticate': 'Bearer' },
  });

const makeInvalidKeyError = (text: string) =>
  new ApiError('INVALID_API_KEY', text, { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } });

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
  const status = getKeyStatus(key, nowMs);
  if (status === 'revoked') throw makeInvalidKeyError('The API key has been revoked.');
  if (status === 'expired') throw makeInvalidKeyError(`The API key expired on ${key.expiresAt}.`);
  return { account, key, limits: findLimits(account) };
}

/** Looks up the caller of a key. @throws ApiError INVALID_API_KEY with the reason */
async function authenticateKey(text: string, nowMs: number, { store, settings }: Services): Promise<Caller> {
  const environment = readEnvironment(text);
  if (environment !== undefined && environment !== settings.environment) {
    const acceptedKeys =
      settings.environment === 'sandbox' ? 'the sandbox accepts dev_ keys' : 'production accepts prod_ keys';
    throw makeInvalidKeyError(`This key belongs to another environment: ${acceptedKeys}.`);
  }
  const credentials = environment && (await store.keys.find(hashBytes(text)));
  if (!credentials || credentials.key.environment !== settings.environment)
    throw makeInvalidKeyError('The API key is not known.');
  return checkKey(credentials, nowMs);
}

/** Looks up the caller of a key used to sign in. @throws ApiError with the reason if the key may not sign in */
export async function authenticateForSignIn(text: string, services: Services): Promise<Caller> {
  const caller = await authenticateKey(text, services.clock.wallMs(), services);
  authorize(caller, undefined);
  return caller;
}

/** Returns the caller of a page's session; null without one, or if it has ended or its key or account may not be used. */
export async function findSessionCaller(request: FastifyRequest, services: Services): Promise<Caller | null> {
  try {
    const credentials = await findSession(request, services);
    if (!credentials) return null;
    const caller = checkKey(credentials, services.clock.wallMs());
    authorize(caller, undefined);
    return caller;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Returns the caller by key or, if none was sent, by the page's session. */
export async function findCaller(
  request: FastifyRequest,
  nowMs: number,
  services: Services,
): Promise<Caller> {
  const query = request.query as Record<string, unknown>;
  const hasKey = request.headers.authorization !== undefined || (query.api_key ?? '') !== '';
  const credentials = hasKey ? undefined : await findSession(request, services);
  if (!credentials) return authenticateKey(readKeyText(request), nowMs, services);
  return checkKey(credentials, nowMs);
}

/** Checks that a caller may use a route. @throws ApiError INSUFFICIENT_PERMISSIONS with the reason */
export function authorize({ account, key }: Caller, permission: Permission | undefined): void {
  const deny = (reason: string, message: string, details: Record<string, unknown> = {}) =>
    new ApiError('INSUFFICIENT_PERMISSIONS', message, { details: { reason, ...details } });
  if (account.status === 'suspended') throw deny('suspended', 'The account is suspended.');
  if (key.environment === 'production' && account.plan === 'free') {
    throw deny('plan', 'Production keys need a paid plan.', { plan: account.plan });
  }
  if (permission !== undefined && !key.permissions.includes(permission)) {
    throw deny('permission', `The API key lacks the permission ${permission}.`, { required: permission });
  }
}

/** Records the last use of a key at most once a minute, without delaying the response. */
export function recordKeyUse({ key }: Caller, nowMs: number, { store, log }: Services): void {
  if (key.lastUsedAt !== null && nowMs - Date.parse(key.lastUsedAt) < TOUCH_INTERVAL_MS) return;
  // The last use is informational, so failing to store it must not fail the request: reads work on a full disk.
  store.keys.touch(key.id, new Date(nowMs).toISOString()).catch((error: unknown) => {
    log.warn({ key: key.id, err: error }, 'last use of the key could not be stored');
  });
}

/** Returns the caller of an authenticated route. */
export function readCaller(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('route without authentication asks for its caller');
  return request.caller;
}

/** Error codes for missing resources, which routes identify by the parameter `<word>_id`. */
export const MISSING_CODES = {
  inspection: 'INSPECTION_NOT_FOUND',
  assessment: 'ASSESSMENT_NOT_FOUND',
  upload: 'UPLOAD_NOT_FOUND',
  webhook: 'WEBHOOK_NOT_FOUND',
  key: 'KEY_NOT_FOUND',
} as const satisfies Record<string, ErrorCode>;

/**
 * Returns a resource of the caller's account and environment, by the id in the request's path.
 * @throws ApiError, with the same message for a missing resource as for another account's
 */
export async function findOwn<T extends Scoped>(
  word: keyof typeof MISSING_CODES,
  request: FastifyRequest,
  { settings }: Pick<ReviewServices, 'settings'>,
  read: (id: string) => Promise<T | undefined>,
  id = (request.params as Record<string, string>)[`${word}_id`] ?? '',
): Promise<T> {
  const found = await read(id);
  if (found?.accountId === readCaller(request).account.id && found.environment === settings.environment)
    return found;
  const message = `There is no ${word} ${JSON.stringify(id.slice(0, 64))}.`;
  throw new ApiError(MISSING_CODES[word], message, { field: `${word}_id` });
}
