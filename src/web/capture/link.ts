import { signal } from '@preact/signals';
import type { CaptureState } from '../../contract/capture.ts';

/** An error response of the desk; status 0 if the desk is unreachable. */
export class DeskError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
  /** True if the desk refuses the photo itself, so that sending it again cannot succeed. */
  get isRefusal(): boolean {
    return [400, 404, 413, 415, 422].includes(this.status);
  }
}

const STORAGE_KEY = 'vehi-capture';

/** State of this phone's link: `ended` needs a new link; `none` means that the page was opened without one. */
export const link = signal<'opening' | 'open' | 'ended' | 'none'>('opening');
export const isOffline = signal(false);
export const state = signal<CaptureState | null>(null);
let secret = '';

/** Sends a request to the desk. @throws DeskError */
export async function callDesk(method: string, path: string, body?: Blob | string): Promise<Response> {
  const type = typeof body === 'string' ? 'application/json' : 'application/octet-stream';
  const response = await fetch(`../capture${path}`, {
    method,
    cache: 'no-store',
    headers: { 'X-Vehi-Session': secret, ...(body === undefined ? {} : { 'Content-Type': type }) },
    ...(body === undefined ? {} : { body }),
  }).catch(() => null);
  isOffline.value = response === null;
  if (response === null) throw new DeskError(0, '');
  if (response.ok) return response;
  const value = (await response.json().catch(() => null)) as { error?: { message?: string } } | null;
  if (response.status === 401 || response.status === 403) link.value = 'ended';
  throw new DeskError(response.status, value?.error?.message ?? `${response.status}`);
}

/** Exchanges the token in the address for a session, or continues this browser's session. */
export async function openLink(): Promise<void> {
  const token = location.hash.slice(1);
  secret = localStorage.getItem(STORAGE_KEY) ?? '';
  if (token !== '') {
    try {
      const answer = await callDesk('POST', '/session', JSON.stringify({ token }));
      secret = ((await answer.json()) as { data: { secret: string } }).data.secret;
      localStorage.setItem(STORAGE_KEY, secret);
      history.replaceState(null, '', location.pathname);
    } catch {
      // This phone already used the link, or the desk is unreachable; the existing session decides.
    }
  }
  if (secret === '') {
    link.value = token === '' ? 'none' : 'ended';
    return;
  }
  link.value = 'open';
  await refresh();
}

export async function refresh(): Promise<void> {
  const answer = await callDesk('GET', '').catch(() => null);
  if (answer === null) return;
  link.value = 'open';
  state.value = ((await answer.json()) as { data: CaptureState }).data;
}
