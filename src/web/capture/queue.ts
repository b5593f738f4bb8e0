import { signal } from '@preact/signals';
import type { Shot } from '../../contract/capture.ts';
import { ApiError, waitToRetry } from '../shared/api.ts';
import { callDesk, link, refresh, state } from './link.ts';

export interface Waiting {
  readonly id: number;
  /** The capture for which it was taken; it is never sent to another one. */
  readonly capture: string;
  readonly slot: string;
  readonly blob: Blob;
  /** Code of the desk's refusal; the photo is kept until it is retaken or discarded. */
  readonly refused?: string;
}

export const waiting = signal<readonly Waiting[]>([]);
export const sending = signal<number | null>(null);
/** False if this browser cannot store photos. */
export const keepsPhotos = signal(true);
/** HTTP statuses that refuse the photo itself, so that sending it again cannot succeed. */
const REFUSING_STATUSES = [400, 404, 413, 415, 422];

/** Returns true if the capture at the desk asks for a photo; another one waits until its own is open again. */
export const isWanted = ({ capture, slot }: Waiting): boolean =>
  state.value?.capture_id === capture && state.value.shots.some((shot) => shot.slot === slot);

let database: IDBDatabase | null = null;

/** Runs a request on the stored photos; null if the browser cannot store them. */
function run<T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | null> {
  return new Promise((resolve) => {
    if (database === null) return resolve(null);
    const transaction = database.transaction('photos', mode);
    const request = ask(transaction.objectStore('photos'));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => {
      keepsPhotos.value = false;
      resolve(null);
    };
  });
}

/** Opens the queue of photos waiting on this phone, and sends them. */
export async function openQueue(): Promise<void> {
  database = await new Promise<IDBDatabase | null>((resolve) => {
    const request = indexedDB.open('vehi-capture', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('photos', { keyPath: 'id' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(null);
  }).catch(() => null);
  keepsPhotos.value = database !== null;
  const stored = (await run('readonly', (store) => store.getAll())) as Waiting[] | null;
  // Photos taken while the database opened are not stored yet.
  const added = waiting.value;
  waiting.value = [...(stored ?? []), ...added];
  await Promise.all(added.map((photo) => run('readwrite', (store) => store.put(photo))));
  void send();
}

let lastId = Date.now();

/** Stores a photo on the phone, then sends it. It replaces a refused photo if only one is wanted. */
export async function addPhoto(shot: Pick<Shot, 'slot' | 'takes_several'>, file: File): Promise<void> {
  const { slot } = shot;
  const capture = state.value?.capture_id;
  if (capture === undefined) return;
  // A camera may remove its file, so the bytes are copied. The desk refuses an empty photo, for one that is gone already.
  const bytes = await file.arrayBuffer().catch(() => new ArrayBuffer(0));
  const blob = new Blob([bytes], { type: file.type });
  for (const old of waiting.value) {
    const isReplaced = !shot.takes_several && old.slot === slot && old.capture === capture;
    if (isReplaced && old.refused !== undefined) await discard(old.id);
  }
  lastId = Math.max(lastId + 1, Date.now());
  const photo = { id: lastId, capture, slot, blob };
  await run('readwrite', (store) => store.put(photo));
  waiting.value = [...waiting.value, photo];
  void send();
}

export async function discard(id: number): Promise<void> {
  waiting.value = waiting.value.filter((one) => one.id !== id);
  await run('readwrite', (store) => store.delete(id));
}

/** Sends the waiting photos of this capture one by one, oldest first, until none is left. */
export async function send(): Promise<void> {
  if (sending.value !== null) return;
  const next = waiting.value.find((one) => isWanted(one) && one.refused === undefined);
  if (next === undefined || link.value !== 'open') return;
  sending.value = next.id;
  try {
    await callDesk('PUT', `/photos/${next.slot}`, { file: next.blob });
    // It is not sent twice, but its row shows it until the desk lists it.
    await run('readwrite', (store) => store.delete(next.id));
    while (!(await refresh()) && link.value === 'open') await waitToRetry();
    await discard(next.id);
  } catch (error) {
    if (error instanceof ApiError && REFUSING_STATUSES.includes(error.status)) {
      const refused = { ...next, refused: error.code };
      await run('readwrite', (store) => store.put(refused));
      waiting.value = waiting.value.map((one) => (one.id === next.id ? refused : one));
    } else await waitToRetry(error instanceof ApiError ? error : undefined);
  }
  sending.value = null;
  void send();
}
