import { signal } from '@preact/signals';
import { Refused } from '../review/door.ts';

/** Who signed in, and what the key may do. */
interface SignedIn {
  readonly account_id: string;
  readonly name: string;
  readonly plan: string;
  readonly environment: string;
  readonly key_id: string;
  readonly permissions: readonly string[];
  readonly keep_views_days: number;
  /** Codes that rates are there for, and the one that counts where none is named. */
  readonly regions: readonly string[];
  readonly region: string;
  readonly currencies: readonly string[];
  readonly currency: string;
  readonly software_version: string;
  readonly csrf: string;
}

/** `opening` until it is known whether somebody is signed in. */
export const session = signal<SignedIn | null | 'opening'>('opening');
/** Why somebody has to sign in again. */
export const signedOut = signal('');

/** Returns the session, which is there wherever a view is drawn. */
export function readSignedIn(): SignedIn {
  const { value } = session;
  if (value === null || value === 'opening') throw new Error('not signed in');
  return value;
}

/** Returns whether the key of the session may do this. */
export function may(permission: string): boolean {
  return readSignedIn().permissions.includes(permission);
}

interface Call {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks the service; addresses are relative to the page. @throws Refused */
async function send<T>(method: string, path: string, { body, headers = {} }: Call = {}): Promise<T> {
  const signed = session.value;
  const csrf = signed !== null && signed !== 'opening' ? signed.csrf : null;
  const answer = await fetch(path, {
    method,
    cache: 'no-store',
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(csrf === null ? {} : { 'X-Vehi-CSRF': csrf }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => null);
  if (answer === null) throw new Refused(0, 'NO_ANSWER', 'The service does not answer.', null);
  if (answer.status === 204) return undefined as T;
  const value: unknown = await answer.json().catch(() => null);
  if (answer.ok) return (value as { data: T }).data;
  throw readRefusal(answer.status, value);
}

/** Returns what an answer says went wrong; that the session has ended leads to signing in. */
export function readRefusal(status: number, value: unknown): Refused {
  const { error } = (value ?? {}) as { error?: { code?: string; message?: string } };
  const message = error?.message ?? `The service answered with status ${status}.`;
  if (status === 401 && session.value !== null) {
    // To a person, a request without a key is one of a session that is over.
    const over = error?.code === 'MISSING_API_KEY' ? 'The session has ended. Sign in again.' : message;
    if (session.value !== 'opening') signedOut.value = over;
    session.value = null;
  }
  return new Refused(status, error?.code ?? '', message, value);
}

/** Asks an operation of the API, `/v1` left out. @throws Refused */
export const call = <T>(method: string, path: string, more?: Call) => send<T>(method, `../v1${path}`, more);

/** Finds out whether somebody is signed in. */
export async function openSession(): Promise<void> {
  session.value = await send<SignedIn | null>('GET', 'session').catch(() => null);
}

/** Signs in. @throws Refused saying why not */
export async function signIn(apiKey: string): Promise<void> {
  session.value = await send<SignedIn>('POST', 'session', { body: { api_key: apiKey } });
  signedOut.value = '';
}

/** Signs out. */
export async function signOut(): Promise<void> {
  await send('DELETE', 'session').catch(() => undefined);
  session.value = null;
  signedOut.value = '';
}

/** Returns a link to a file of the service, as seen from this page, whatever name the service uses for itself. */
export function makeFileAddress(link: string): string {
  return `..${link.slice(link.indexOf('/files/'))}`;
}
