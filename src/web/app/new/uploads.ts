import { signal } from '@preact/signals';
import type { UploadAnswer, UploadView } from '../../../contract/uploads.ts';
import { IMAGE_BYTES_MAX, IMAGE_MB_MAX } from '../../../domain/choices.ts';
import { ANGLES, type Angle, type PhotoType } from '../../../domain/damage.ts';
import { call, readRefusal, readSignedIn } from '../api.ts';
import { drawThumbnail } from './picture.ts';

/** A photo on its way to the service. */
export interface Upload {
  readonly key: number;
  readonly file: File;
  readonly state: 'waiting' | 'sending' | 'there' | 'failed';
  /** Share that is sent. */
  readonly sent: number;
  readonly problem: string | null;
  /** The photo itself is the problem: sending it again changes nothing. */
  readonly refused: boolean;
  /** Address of a small picture; undefined until it is drawn, null where the browser cannot draw the format. */
  readonly picture: string | null | undefined;
  readonly answer: UploadAnswer | null;
  /** Empty until the name of the file, the picture or a person says it. */
  readonly angle: Angle | '';
  /** The picture is being analysed, or gave the angle; null where it was not asked. */
  readonly look: 'waiting' | 'recognised' | 'silent' | null;
}

/** Photos sent at the same time. */
const AT_ONCE = 3;
/** Statuses of an answer that judges the photo itself. */
const REFUSALS = [413, 415, 422];

export const uploads = signal<readonly Upload[]>([]);
/** Names of the files last added that are no photos. */
export const leftOut = signal<readonly string[]>([]);
const requests = new Map<number, XMLHttpRequest>();
let lastKey = 0;

function change(key: number, next: Partial<Upload>): void {
  uploads.value = uploads.value.map((one) => (one.key === key ? { ...one, ...next } : one));
}

const isPhoto = ({ name, type }: File) => type.startsWith('image/') || /\.(hei[cf])$/i.test(name);

/** Takes files in, and sends them a few at a time. What cannot be a photo is said at once. */
export function addFiles(files: readonly File[]): void {
  const photos = files.filter(isPhoto);
  leftOut.value = files.filter((file) => !isPhoto(file)).map(({ name }) => name);
  const added = photos.map((file): Upload => {
    const large = file.size > IMAGE_BYTES_MAX;
    return {
      key: ++lastKey,
      file,
      state: large ? 'failed' : 'waiting',
      sent: 0,
      problem: large ? `It is larger than ${IMAGE_MB_MAX} MB.` : null,
      refused: large,
      picture: undefined,
      answer: null,
      angle: '',
      look: null,
    };
  });
  uploads.value = [...uploads.value, ...added];
  sendNext();
  void drawPictures(added);
}

/** Draws pictures one after the other: an open photo takes fifty megabytes. */
async function drawPictures(added: readonly Upload[]): Promise<void> {
  for (const { key, file } of added) {
    if (uploads.value.some((one) => one.key === key)) change(key, { picture: await drawThumbnail(file) });
  }
}

function sendNext(): void {
  const sending = uploads.value.filter(({ state }) => state === 'sending').length;
  const waiting = uploads.value.filter(({ state }) => state === 'waiting');
  for (const upload of waiting.slice(0, AT_ONCE - sending)) send(upload);
}

/** Sends by XMLHttpRequest: fetch does not report how much of a body is sent. */
function send({ key, file }: Upload): void {
  const request = new XMLHttpRequest();
  requests.set(key, request);
  change(key, { state: 'sending', sent: 0, problem: null });
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    if (total > 0) change(key, { sent: loaded / total });
  });
  const fail = (problem: string, refused = false) => change(key, { state: 'failed', problem, refused });
  request.addEventListener('load', () => {
    const body = parse(request.responseText);
    if (request.status !== 201) {
      fail(readRefusal(request.status, body).message, REFUSALS.includes(request.status));
      return;
    }
    const answer = (body as { data: UploadAnswer }).data;
    // What a person said in the meantime counts more than the name of the file.
    const said = uploads.value.find((one) => one.key === key)?.angle ?? '';
    const angle = said || (answer.angle ?? '');
    change(key, { state: 'there', sent: 1, answer, angle });
    if (angle === '') lookAtPicture(key, answer.upload_id);
  });
  request.addEventListener('error', () => fail('The service does not answer.'));
  request.addEventListener('loadend', () => {
    requests.delete(key);
    sendNext();
  });
  request.open('POST', `../v1/uploads?name=${encodeURIComponent(file.name.slice(-255))}`);
  request.setRequestHeader('Content-Type', 'application/octet-stream');
  request.setRequestHeader('X-Vehi-CSRF', readSignedIn().csrf ?? '');
  request.send(file);
}

let looks: Promise<void> = Promise.resolve();

/**
 * Asks what the picture shows where the name of its file says nothing; one after the other, and a person goes first.
 */
function lookAtPicture(key: number, id: string): void {
  change(key, { look: 'waiting' });
  const open = () => uploads.value.some((one) => one.key === key && one.angle === '');
  looks = looks.then(async () => {
    if (!open()) return;
    const view = await call<UploadView>('GET', `/uploads/${id}/view`).catch(() => null);
    if (!open()) return;
    change(key, view?.angle ? { angle: view.angle, look: 'recognised' } : { look: 'silent' });
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Sends a failed photo again. */
export function retry(key: number): void {
  change(key, { state: 'waiting', problem: null, sent: 0 });
  sendNext();
}

/** Takes a photo out, wherever it is. */
export function drop(key: number): void {
  const upload = uploads.value.find((one) => one.key === key);
  uploads.value = uploads.value.filter((one) => one.key !== key);
  requests.get(key)?.abort();
  // What stays is gone in an hour.
  if (upload?.answer) void call('DELETE', `/uploads/${upload.answer.upload_id}`).catch(() => undefined);
}

/** Sets the angle of a photo. */
export function setAngle(key: number, angle: string): void {
  change(key, { angle: ANGLES.find((one) => one === angle) ?? '', look: null });
}

/** Forgets all of them, once they are inspected. */
export function forgetUploads(): void {
  uploads.value = [];
  leftOut.value = [];
}

const TYPES: Partial<Record<Angle, PhotoType>> = {
  interior: 'interior',
  dashboard: 'interior',
  trunk: 'interior',
  engine: 'mechanical',
  undercarriage: 'mechanical',
};

/** Returns the photos as a request names them. */
export function listImages(list: readonly Upload[]) {
  return list.flatMap(({ answer, angle }) =>
    answer && angle ? [{ url: answer.url, angle, type: TYPES[angle] ?? 'exterior' }] : [],
  );
}
