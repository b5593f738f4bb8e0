import { randomBytes } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import { HOUR_MS, MINUTE_MS } from '../../lib/durations.ts';
import { isLoopback } from '../../lib/hosts.ts';
import { hashBytes } from '../../lib/ids.ts';
import type { Account, ApiKey, Session } from '../../storage/ports.ts';
import type { Services } from '../services.ts';
import { ApiError } from './api-error.ts';

/** Maximum age of a session; `SESSION_IDLE_MS` is the maximum time between requests. */
export const SESSION_MS = 12 * HOUR_MS;
export const SESSION_IDLE_MS = 2 * HOUR_MS;
/** Interval at which the use of a key or session is stored. */
export const TOUCH_INTERVAL_MS = MINUTE_MS;

type SessionParts = Pick<Services, 'store' | 'settings' | 'clock' | 'log'>;

/** Transport of a request: https, plain http from this machine, or plain http over a network. */
type Connection = 'encrypted' | 'loopback' | 'open';

function classifyConnection(request: FastifyRequest, { settings }: Pick<Services, 'settings'>): Connection {
  const isTls = settings.tls !== undefined || request.protocol === 'https';
  if (isTls || settings.baseUrl?.startsWith('https:')) return 'encrypted';
  return isLoopback(request.headers.host ?? '') ? 'loopback' : 'open';
}

/** Cookies ignore the port, so two services on one machine need different names. */
function getCookieName(request: FastifyRequest, connection: Connection): string {
  return connection === 'encrypted' ? '__Host-vehi' : `vehi_${request.socket.localPort ?? 0}`;
}

/** Returns true if the origin is that of the requested host. */
export function isOriginOf(host: string | undefined, origin: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}

/**
 * Checks that the request comes from a page of this origin, by headers that browsers set and pages cannot. Together
 * with the cookie's `SameSite=Strict`, this keeps other pages from changing anything.
 * @throws ApiError INSUFFICIENT_PERMISSIONS
 */
export function checkOrigin({ headers }: FastifyRequest): void {
  const { host, origin, 'sec-fetch-site': site } = headers;
  const isOwnOrigin = origin !== undefined && isOriginOf(host, origin);
  if (site === undefined ? isOwnOrigin : site === 'same-origin') return;
  throw new ApiError('INSUFFICIENT_PERMISSIONS', 'The request comes from another page.', {
    details: { reason: 'origin' },
  });
}

/**
 * Starts a session for an accepted key. Returns its cookie, which holds the only copy of the token.
 * @throws ApiError if the cookie would travel unencrypted over a network
 */
export async function beginSession(
  request: FastifyRequest,
  key: ApiKey,
  parts: SessionParts,
): Promise<string> {
  const connection = classifyConnection(request, parts);
  if (connection === 'open') {
    throw new ApiError(
      'INSUFFICIENT_PERMISSIONS',
      'Signing in needs https, or the machine of the service itself: over plain http others could read the key.',
      { details: { reason: 'insecure' } },
    );
  }
  const token = randomBytes(32).toString('base64url');
  const nowMs = parts.clock.wallMs();
  const session = { sha256: hashBytes(token), keyId: key.id, createdAtMs: nowMs, usedAtMs: nowMs };
  await parts.store.sessions.create(session);
  return serializeCookie(request, token, connection);
}

function serializeCookie(request: FastifyRequest, value: string, connection: Connection): string {
  return stringifySetCookie({
    name: getCookieName(request, connection),
    value,
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: connection === 'encrypted',
    maxAge: value === '' ? 0 : SESSION_MS / 1000,
  });
}

/** Ends a session. Returns the cookie that deletes the session cookie. */
export async function endSession(
  request: FastifyRequest,
  { sha256 }: Session,
  parts: SessionParts,
): Promise<string> {
  await parts.store.sessions.remove(sha256);
  return serializeCookie(request, '', classifyConnection(request, parts));
}

/**
 * Returns the session of a request's cookie with its key and account; undefined without a cookie.
 * @throws ApiError INVALID_API_KEY if the session has ended, INSUFFICIENT_PERMISSIONS if a change comes from another page
 */
export async function findSession(
  request: FastifyRequest,
  parts: SessionParts,
): Promise<{ session: Session; key: ApiKey; account: Account } | undefined> {
  const { store, settings, clock, log } = parts;
  const cookies = parseCookie(request.headers.cookie ?? '');
  const token = cookies[getCookieName(request, classifyConnection(request, parts))];
  if (token === undefined || token === '') return undefined;
  const nowMs = clock.wallMs();
  const session = await store.sessions.get(hashBytes(token));
  const isAlive =
    session && nowMs < session.createdAtMs + SESSION_MS && nowMs < session.usedAtMs + SESSION_IDLE_MS;
  const key = isAlive ? await store.keys.get(session.keyId) : undefined;
  const account = key && (await store.accounts.get(key.accountId));
  if (!session || !account || key?.environment !== settings.environment) {
    throw new ApiError('INVALID_API_KEY', 'The session has ended; sign in again.', {
      headers: { 'www-authenticate': 'Bearer' },
    });
  }
  if (!['GET', 'HEAD'].includes(request.method)) checkOrigin(request);
  if (nowMs - session.usedAtMs > TOUCH_INTERVAL_MS) {
    // As with keys, failing to store the last use must not fail the request.
    const warn = (err: unknown) =>
      log.warn({ key: key.id, err }, 'last use of the session could not be stored');
    await store.sessions.touch(session.sha256, nowMs).catch(warn);
  }
  return { session, key, account };
}
