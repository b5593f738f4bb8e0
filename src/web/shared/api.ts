import { signal } from '@preact/signals';
import type { SessionAnswer } from '../../contract/answers.ts';

/** A response that is not a success; status 0 if the service is unreachable. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfterMs: number;

  constructor(status: number, code: string, message: string, retryAfterMs = DEFAULT_RETRY_MS) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }

  /** True if a retry can succeed: the service was unreachable, timed out, limits requests, or failed internally. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

export const describeError = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

const DEFAULT_RETRY_MS = 1500;

export const waitToRetry = (apiError?: ApiError) =>
  new Promise<void>((done) => setTimeout(done, apiError?.retryAfterMs ?? DEFAULT_RETRY_MS));

/** Repeats a request until the service is reached. @throws ApiError if it refuses or fails */
export const untilReached = <T>(request: () => Promise<T>): Promise<T> =>
  request().catch(async (error: unknown) => {
    if (!(error instanceof ApiError && error.status === 0)) throw error;
    await waitToRetry(error);
    return untilReached(request);
  });

/** `opening` until the service has checked the session. */
export const session = signal<SessionAnswer | null | 'opening'>('opening');
/** Set if the page was opened by a command's link: its session, or why there is none. */
export const linkSession = signal<{
  readonly id: string;
  readonly secret: string;
  readonly refused?: string;
} | null>(null);
/** Why the user has to sign in again. */
export const signOutReason = signal('');

/** Returns the session; views render only with one. */
export function readSession(): SessionAnswer {
  const { value } = session;
  if (value === null || value === 'opening') throw new Error('not signed in');
  return value;
}

export const can = (permission: string): boolean => readSession().permissions.includes(permission);

export interface RequestOptions {
  readonly body?: unknown;
  /** Body that is sent as is, instead of JSON. */
  readonly file?: Blob;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request to the service; URLs are relative to the page. @throws ApiError */
async function sendRequest<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
  const response = await requestSuccess(method, path, options);
  return (response.status === 204 ? undefined : ((await response.json()) as { data: T }).data) as T;
}

/** Sends a request; a refusal because the session has ended leads to the sign-in form. @throws ApiError */
export async function requestSuccess(...request: Parameters<typeof fetchResponse>): Promise<Response> {
  const { value: sentIn } = session;
  const response = await fetchResponse(...request);
  if (response.ok) return response;
  const error = await readApiError(response);
  // The user may have signed in again meanwhile.
  if (error.status === 401 && sentIn !== null && sentIn !== 'opening' && session.value === sentIn) {
    signOutReason.value = error.message;
    session.value = null;
  }
  throw error;
}

/** Sends a request with its credentials. @throws ApiError if the service is unreachable */
export async function fetchResponse(method: string, path: string, options: RequestOptions = {}) {
  const { body, file, signal, headers = {} } = options;
  const response = await fetch(path, {
    method,
    cache: 'no-store',
    headers: {
      ...(file && { 'Content-Type': 'application/octet-stream' }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(linkSession.value && { 'X-Vehi-Session': linkSession.value.secret }),
      ...headers,
    },
    body: file ?? JSON.stringify(body),
    signal: signal ?? null,
  }).catch(() => null);
  if (response === null) throw new ApiError(0, 'NO_ANSWER', 'The service does not answer.');
  return response;
}

export async function readApiError(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const value: unknown = await response.json().catch(() => null);
  const { error } = (value ?? {}) as { error?: { code?: string; message?: string } };
  // The service reports a missing key, but for the user the session has ended.
  const message =
    linkSession.value === null && error?.code === 'MISSING_API_KEY'
      ? 'The session has ended. Sign in again.'
      : (error?.message ?? `The service answered with status ${status}.`);
  const retryAfterMs = Number(headers.get('retry-after')) * 1000 || undefined;
  return new ApiError(status, error?.code ?? '', message, retryAfterMs);
}

/** Calls an operation of the API by its path below `/v1`. @throws ApiError */
export const callApi = <T>(method: string, path: string, options?: RequestOptions) =>
  sendRequest<T>(method, `../v1${path}`, options);

const STORAGE_KEY = 'vehi-review-session';

interface IssuedSession {
  readonly secret: string;
  readonly inspection_id: string;
}

/**
 * Determines who opened the page: a user with a command's link, whose token is removed from the URL and exchanged once;
 * a tab that did so before; or a signed-in user.
 */
export async function openSession(): Promise<void> {
  const token = new URLSearchParams(location.hash.slice(1)).get('t');
  if (token !== null) {
    history.replaceState(null, '', location.pathname);
    sessionStorage.removeItem(STORAGE_KEY);
    try {
      const issued = await sendRequest<IssuedSession>('POST', 'session', { body: { token } });
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify(issued));
    } catch (error) {
      return refuseLink(describeError(error));
    }
  }
  const stored = sessionStorage.getItem(STORAGE_KEY);
  if (stored !== null) {
    const { secret, inspection_id: id } = JSON.parse(stored) as IssuedSession;
    linkSession.value = { id, secret };
    return;
  }
  const opened = await sendRequest<SessionAnswer | { by_link: true } | null>('GET', 'session').catch(
    (error: unknown) => {
      signOutReason.value = describeError(error);
      return null;
    },
  );
  if (opened && 'by_link' in opened) refuseLink('Open this page by the link that vehi review prints.');
  else session.value = opened;
}

function refuseLink(refused: string): void {
  linkSession.value = { id: '', secret: '', refused };
}

/** Signs in. @throws ApiError with the reason */
export async function signIn(apiKey: string): Promise<void> {
  session.value = await sendRequest<SessionAnswer>('POST', 'session', { body: { api_key: apiKey } });
  signOutReason.value = '';
}

export async function signOut(): Promise<void> {
  const problem = await sendRequest('DELETE', 'session').then(() => '', describeError);
  session.value = null;
  signOutReason.value = problem && `${problem} The session has not ended: load the page, then sign out.`;
}

/** Converts a link to a file into a URL relative to this page, independent of the service's host name. */
export const makeFileUrl = (link: string): string => `..${link.slice(link.lastIndexOf('/files/'))}`;
