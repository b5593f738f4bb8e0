import { signal } from '@preact/signals';
import type { CaptureState } from '../../contract/capture.ts';
import type { RequestOptions } from '../shared/api.ts';
import { ApiError, fetchResponse, linkSession, readApiError, waitToRetry } from '../shared/api.ts';

const STORAGE_KEY = 'vehi-capture';

/** State of this phone's link: `ended` needs a new link; `none` means that the page was opened without one. */
export const link = signal<'opening' | 'open' | 'ended' | 'none'>('opening');
export const isOffline = signal(false);
/** Message of the desk's last answer if it failed in a way that may pass; empty after any other answer. */
export const deskFault = signal('');
export const state = signal<CaptureState | null>(null);

/** Sends a request to the desk. @throws ApiError */
export async function callDesk(method: string, path: string, options?: RequestOptions): Promise<Response> {
  const response = await fetchResponse(method, `../capture${path}`, options).catch((error: unknown) => {
    isOffline.value = true;
    throw error;
  });
  isOffline.value = false;
  const error = response.ok ? null : await readApiError(response);
  deskFault.value = error?.isTransient ? error.message : '';
  if (error === null) return response;
  if (error.status === 401 || error.status === 403) link.value = 'ended';
  throw error;
}

/** Exchanges the token in the address for a session, as soon as the desk answers, or continues this browser's session. */
export async function openLink(): Promise<void> {
  const token = location.hash.slice(1);
  linkSession.value = { id: '', secret: localStorage.getItem(STORAGE_KEY) ?? '' };
  if (token !== '') {
    try {
      const answer = await callDesk('POST', '/session', { body: { token } });
      const { secret } = ((await answer.json()) as { data: { secret: string } }).data;
      localStorage.setItem(STORAGE_KEY, secret);
      linkSession.value = { id: '', secret };
      history.replaceState(null, '', location.pathname);
    } catch (error) {
      if (error instanceof ApiError && error.isTransient) {
        await waitToRetry(error);
        return openLink();
      }
      // This phone already used the link: the existing session decides.
    }
  }
  if (linkSession.value.secret === '') link.value = token === '' ? 'none' : 'ended';
  else {
    link.value = 'open';
    await refresh();
  }
}

let lastAsked = 0;
let lastShown = 0;

/** Reads the state of the capture, false on failure; an answer that comes after that to a later request is ignored. */
export async function refresh(): Promise<boolean> {
  const turn = ++lastAsked;
  const answer = await callDesk('GET', '')
    .then((response) => response.json() as Promise<{ data: CaptureState }>)
    .catch(() => null);
  if (answer !== null && turn >= lastShown) {
    lastShown = turn;
    state.value = answer.data;
  }
  return answer !== null;
}
