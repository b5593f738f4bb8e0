import { signal } from '@preact/signals';
import type { UploadAnswer, UploadView } from '../../../contract/uploads.ts';
import { ANGLES, type Angle, toPhotoType } from '../../../domain/photo.ts';
import { MAX_IMAGE_BYTES, MAX_IMAGE_MB } from '../../../domain/photo-limits.ts';
import { type ApiError, callApi, untilReached } from '../../shared/api.ts';

export interface Upload {
  readonly key: number;
  readonly file: File;
  readonly state: 'waiting' | 'sending' | 'uploaded' | 'failed';
  readonly problem: string | null;
  /** True if the photo itself is rejected, so a retry cannot succeed. */
  readonly isRejected: boolean;
  readonly answer: UploadAnswer | null;
  /** Empty until set by the file name, the classifier or the user. */
  readonly angle: Angle | '';
  /** State of the angle classifier; null if it did not run or the user has set the angle. */
  readonly classification: 'waiting' | 'recognized' | 'unrecognized' | null;
}

const MAX_CONCURRENT = 3;
/** HTTP statuses that reject the photo itself. */
const REJECTING_STATUSES = [413, 415, 422];

export const uploads = signal<readonly Upload[]>([]);
/** Names of the last added files that are not photos. */
export const skippedNames = signal<readonly string[]>([]);
// The browser asks before the page is left or loaded again.
addEventListener('beforeunload', (event) => {
  if (uploads.value.length > 0) event.preventDefault();
});
addEventListener('online', retryUploads);
const requests = new Map<number, AbortController>();
let lastKey = 0;

function updateUpload(key: number, changes: Partial<Upload>): void {
  uploads.value = uploads.value.map((one) => (one.key === key ? { ...one, ...changes } : one));
}

/** Returns true for a picture, by its type or first bytes: browsers know no type for `IMG_1.MPO` or `IMG_1.JPG (1)`. */
async function isPhoto(file: File): Promise<boolean> {
  if (file.type.startsWith('image/')) return true;
  const head = await file
    .slice(0, 12)
    .arrayBuffer()
    .catch(() => new ArrayBuffer(0));
  const bytes = String.fromCharCode(...new Uint8Array(head));
  return /^\xff\xd8\xff|^\x89PNG|^.{4}ftyp/s.test(bytes);
}

/** Adds files and uploads a few at a time; reports files that are not photos immediately. */
export async function addFiles(files: readonly File[]): Promise<void> {
  const arePhotos = await Promise.all(files.map(isPhoto));
  skippedNames.value = files.filter((_, at) => !arePhotos[at]).map(({ name }) => name);
  uploads.value = [...uploads.value, ...files.filter((_, at) => arePhotos[at]).map(makeUpload)];
  sendNext();
}

function makeUpload(file: File): Upload {
  const upload = { key: ++lastKey, file, answer: null, angle: '', classification: null } as const;
  if (file.size <= MAX_IMAGE_BYTES) return { ...upload, state: 'waiting', problem: null, isRejected: false };
  return { ...upload, state: 'failed', problem: `It is larger than ${MAX_IMAGE_MB} MB.`, isRejected: true };
}

function sendNext(): void {
  const sending = uploads.value.filter(({ state }) => state === 'sending').length;
  const waiting = uploads.value.filter(({ state }) => state === 'waiting');
  for (const upload of waiting.slice(0, MAX_CONCURRENT - sending)) send(upload);
}

function send({ key, file }: Upload): void {
  const request = new AbortController();
  requests.set(key, request);
  updateUpload(key, { state: 'sending', problem: null });
  const path = `/uploads?name=${encodeURIComponent(file.name.slice(-255))}`;
  callApi<UploadAnswer>('POST', path, { file, signal: request.signal })
    .then((answer) => {
      // An angle set by the user in the meantime takes precedence over the file name.
      const currentAngle = uploads.value.find((one) => one.key === key)?.angle ?? '';
      const angle = currentAngle || (answer.angle ?? '');
      updateUpload(key, { state: 'uploaded', answer, angle });
      if (angle === '') classifyAngle(key, answer.upload_id);
    })
    .catch((error: ApiError) => {
      const isRejected = REJECTING_STATUSES.includes(error.status);
      updateUpload(key, { state: 'failed', problem: error.message, isRejected });
    })
    .finally(() => {
      requests.delete(key);
      sendNext();
    });
}

let classifications: Promise<void> = Promise.resolve();

/** Classifies photos whose file names contain no angle, one at a time; an angle set by the user is kept. */
function classifyAngle(key: number, id: string): void {
  updateUpload(key, { classification: 'waiting' });
  const needsAngle = () => uploads.value.some((one) => one.key === key && one.angle === '');
  classifications = classifications.then(async () => {
    if (!needsAngle()) return;
    const ask = () => callApi<UploadView>('GET', `/uploads/${id}/view`);
    const view = await untilReached(ask).catch(() => null);
    if (!needsAngle()) return;
    updateUpload(
      key,
      view?.angle ? { angle: view.angle, classification: 'recognized' } : { classification: 'unrecognized' },
    );
  });
}

export const canRetry = ({ state, isRejected }: Upload) => state === 'failed' && !isRejected;

export function retryUploads(): void {
  uploads.value = uploads.value.map((one) =>
    canRetry(one) ? { ...one, state: 'waiting', problem: null } : one,
  );
  sendNext();
}

export function removeUpload(key: number): void {
  const upload = uploads.value.find((one) => one.key === key);
  uploads.value = uploads.value.filter((one) => one.key !== key);
  requests.get(key)?.abort();
  // The service deletes an unused upload after an hour.
  if (upload?.answer) void callApi('DELETE', `/uploads/${upload.answer.upload_id}`).catch(() => undefined);
}

export function setAngle(key: number, angle: string): void {
  updateUpload(key, { angle: ANGLES.find((one) => one === angle) ?? '', classification: null });
}

export function clearUploads(): void {
  uploads.value = [];
  skippedNames.value = [];
}

export const listImages = (list: readonly Upload[]) =>
  list.flatMap(({ answer, angle }) =>
    answer && angle ? [{ url: answer.url, angle, type: toPhotoType(angle) }] : [],
  );
