import { signal } from '@preact/signals';
import type { SessionAnswer } from '../../contract/session.ts';

/** A response that is not a success; status 0 if the service is unreachable. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly body: unknown;
  readonly retryAfterMs: number;

  constructor(status: number, code: string, message: string, body: unknown, retryAfterMs = RETRY_MS) {
    super(message);
    this.status = status;
    this.code = code;
    this.body = body;
    this.retryAfterMs = retryAfterMs;
  }

  /** True if a retry can succeed: the service was unreachable, limits requests, or failed internally. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/** Default delay before a retry in milliseconds. */
const RETRY_MS = 1500;

/** Waits for the delay requested by a response before a retry. */
export const waitToRetry = (apiError?: ApiError) =>
  new Promise<void>((done) => setTimeout(done, apiError?.retryAfterMs ?? RETRY_MS));

/** `opening` until the service has checked the session. */
export const session = signal<SessionAnswer | null | 'opening'>('opening');
/** Set if the page was opened by a command's link: its session, or why there is none. */
export const linked = signal<{
  readonly id: string;
  readonly secret: string;
  readonly refused?: string;
} | null>(null);
/** Why the user has to sign in again. */
export const signedOut = signal('');

/** Returns the session; views render only with one. */
export function readSignedIn(): SessionAnswer {
  const { value } = session;
  if (value === null || value === 'opening') throw new Error('not signed in');
  return value;
}

/** Returns true if the session's key has the permission. */
export function may(permission: string): boolean {
  return readSignedIn().permissions.includes(permission);
}

interface Call {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request to the service; URLs are relative to the page. @throws ApiError */
async function send<T>(method: string, path: string, more: Call = {}): Promise<T> {
  const response = await ask(method, path, more);
  if (response.status === 204) return undefined as T;
  const value: unknown = await response.json().catch(() => null);
  if (response.ok) return (value as { data: T }).data;
  throw readApiError(response.status, value, response.headers);
}

/** Sends a request with its credentials. @throws ApiError if the service is unreachable */
export async function ask(
  method: string,
  path: string,
  { body, headers = {} }: Call = {},
): Promise<Response> {
  const signed = session.value;
  const csrf = signed !== null && signed !== 'opening' ? signed.csrf : null;
  const response = await fetch(path, {
    method,
    cache: 'no-store',
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(csrf === null ? {} : { 'X-Vehi-CSRF': csrf }),
      ...(linked.value === null ? {} : { 'X-Vehi-Session': linked.value.secret }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => null);
  if (response === null) throw new ApiError(0, 'NO_ANSWER', 'The service does not answer.', null);
  return response;
}

/** Returns the error of a response; an ended session leads to the sign-in form. */
export function readApiError(status: number, value: unknown, headers?: Headers): ApiError {
  const { error } = (value ?? {}) as { error?: { code?: string; message?: string } };
  const message = error?.message ?? `The service answered with status ${status}.`;
  if (status === 401 && session.value !== null && linked.value === null) {
    // The service reports a missing key, but for the user the session has ended.
    const text = error?.code === 'MISSING_API_KEY' ? 'The session has ended. Sign in again.' : message;
    if (session.value !== 'opening') signedOut.value = text;
    session.value = null;
  }
  const retryAfterMs = Number(headers?.get('retry-after')) * 1000 || undefined;
  return new ApiError(status, error?.code ?? '', message, value, retryAfterMs);
}

/** Calls an operation of the API by its path below `/v1`. @throws ApiError */
export const call = <T>(method: string, path: string, more?: Call) => send<T>(method, `../v1${path}`, more);

const STORED = 'vehi-review-session';

/**
 * Determines who opened the page: a command's link, whose token is removed from the URL and exchanged once; a tab that
 * did so before; or a signed-in user.
 */
export async function openSession(): Promise<void> {
  const token = new URLSearchParams(location.hash.slice(1)).get('t');
  if (token !== null) {
    history.replaceState(null, '', location.pathname);
    sessionStorage.removeItem(STORED);
    try {
      const given = await send<{ secret: string; inspection_id: string }>('POST', 'session', {
        body: { token },
      });
      sessionStorage.setItem(STORED, JSON.stringify(given));
    } catch (error) {
      linked.value = { id: '', secret: '', refused: error instanceof Error ? error.message : String(error) };
      return;
    }
  }
  const stored = sessionStorage.getItem(STORED);
  const found = await (stored === null
    ? send<SessionAnswer | { by_link: true } | null>('GET', 'session').catch(() => null)
    : null);
  if (stored !== null) {
    const { secret, inspection_id: id } = JSON.parse(stored) as { secret: string; inspection_id: string };
    linked.value = { id, secret };
  } else if (found && 'by_link' in found)
    linked.value = { id: '', secret: '', refused: 'This page is opened by the link of vehi review.' };
  else session.value = found;
}

/** Signs in. @throws ApiError with the reason */
export async function signIn(apiKey: string): Promise<void> {
  session.value = await send<SessionAnswer>('POST', 'session', { body: { api_key: apiKey } });
  signedOut.value = '';
}

/** Signs out. */
export async function signOut(): Promise<void> {
  await send('DELETE', 'session').catch(() => undefined);
  session.value = null;
  signedOut.value = '';
}

/** Converts a link to a file into a URL relative to this page, independent of the service's host name. */
export function makeFileAddress(link: string): string {
  return `..${link.slice(link.indexOf('/files/'))}`;
}
