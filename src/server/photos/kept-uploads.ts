import type { PhotoRejection } from '../../domain/photo.ts';
import type { Store, UploadRecord } from '../../storage/ports.ts';
import type { Services } from '../services.ts';

/** How long an upload waits for its inspection. */
export const UPLOAD_MS = 3_600_000;
/** Name of the file that holds its bytes. */
export const UPLOAD_FILE = 'photo';
/** As much of a photo as its header takes: 64 KiB of EXIF and what follows. */
const START_BYTES = 96 * 1024;

const SCHEME = 'upload:';
const ADDRESS = /^upload:(upl_[0-9A-Z]{26})(\/[^/]*)?$/;

/** Returns the address of an upload; the name of its file is for readers of the result only. */
export function makeUploadUrl(id: string, name: string): string {
  return `${SCHEME}${id}/${name.replace(/[^\p{L}\p{N}._-]+/gu, '_').slice(-80)}`;
}

/** Returns whether an address names an upload, whether that exists or not. */
export function isUploadUrl(url: string): boolean {
  return url.startsWith(SCHEME);
}

/** Finds an upload of this account by its id; undefined for one that is not there, not theirs, used, or expired. */
export async function findUpload(
  id: string,
  accountId: string,
  { store, settings, clock }: Services,
): Promise<UploadRecord | undefined> {
  const upload = await store.uploads.get(id);
  const own = upload?.accountId === accountId && upload.environment === settings.environment;
  return own && upload.createdAtMs + UPLOAD_MS > clock.wallMs() ? upload : undefined;
}

/** Finds an upload that waits for its photo or its inspection, whoever it belongs to. */
export async function findOpenUpload(id: string, services: Services): Promise<UploadRecord | undefined> {
  const upload = await services.store.uploads.get(id);
  if (!upload || upload.announcedBytes === null) return undefined;
  return findUpload(id, upload.accountId, services);
}

/** Reads the bytes of an upload; undefined where they were not sent. */
export async function readKeptUpload({ id }: UploadRecord, { store }: Services): Promise<Buffer | undefined> {
  const bytes = await store.blobs.get(id, UPLOAD_FILE);
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Why an upload cannot be used: what was sent breaks a rule, or cannot be had. */
export type UnusableUpload =
  | { readonly rejection: PhotoRejection }
  | { readonly reason: 'no_such_upload' | 'not_sent' | 'wrong_length'; readonly message: string };

/** An upload that was taken; `sha256` where it is still to be held against its bytes. */
export type TakenUpload = { readonly sha256: string | undefined };

/** Of an upload that another inspection was faster to use, as of one that never was. */
export const GONE = {
  reason: 'no_such_upload',
  message: 'there is no such upload, or it has been used or has expired',
} as const satisfies UnusableUpload;
const NOT_SENT: UnusableUpload = {
  reason: 'not_sent',
  message: 'the photo has not been sent to the address that its upload was given',
};

/**
 * Stages the photo of an upload for its inspection. One that was sent to an address of its own is judged by its length
 * and its header; its bytes go from place to place within the store, and whoever reads them first holds them against
 * `sha256`.
 */
export async function takeUpload(
  url: string,
  accountId: string,
  to: { readonly owner: string; readonly name: string },
  services: Services,
): Promise<TakenUpload | UnusableUpload> {
  const id = ADDRESS.exec(url)?.[1];
  const upload = id === undefined ? undefined : await findUpload(id, accountId, services);
  if (!upload) return GONE;
  const announced = upload.announcedBytes !== null;
  const unusable = announced ? await judge(upload, url, services) : undefined;
  if (unusable) return unusable;
  const { blobs } = services.store;
  const there = await blobs.stageCopy(to.owner, to.name, { owner: upload.id, name: UPLOAD_FILE });
  return there ? { sha256: announced ? upload.sha256 : undefined } : GONE;
}

async function judge(
  upload: UploadRecord,
  url: string,
  services: Services,
): Promise<UnusableUpload | undefined> {
  const { store, programs } = services;
  const found = await store.blobs.getStart(upload.id, UPLOAD_FILE, START_BYTES);
  if (!found) return NOT_SENT;
  const { start, size } = found;
  if (size !== upload.announcedBytes) {
    const message = `${size} bytes were sent to the address of its upload; ${upload.announcedBytes} were announced`;
    return { reason: 'wrong_length', message };
  }
  let rejection = await programs.photos.check(start, url);
  if (rejection && size > start.byteLength) {
    // Some headers cannot be read without what follows them, as HEIC's.
    const whole = await readKeptUpload(upload, services);
    if (!whole) return NOT_SENT;
    rejection = await programs.photos.check(whole, url);
  }
  return rejection && { rejection };
}

/** Returns the ids of the uploads among the photos of a request, each once. */
export function listUploadIds(images: readonly { readonly url: string }[]): string[] {
  return [...new Set(images.flatMap(({ url }) => ADDRESS.exec(url)?.[1] ?? []))];
}

/**
 * Removes what uploads hold; they are used, or not wanted. The record last: what a crash interrupts is removed later.
 */
export async function useUploads(ids: readonly string[], store: Store): Promise<void> {
  for (const id of ids) await store.blobs.remove(id);
  if (ids.length > 0) await store.uploads.use(ids);
}

/** Removes uploads that expired, with what was sent to their addresses after they were used. */
export async function sweepUploads(nowMs: number, store: Store): Promise<void> {
  const ids = await store.uploads.before(nowMs - UPLOAD_MS);
  for (const id of ids) await store.blobs.remove(id);
  if (ids.length > 0) await store.uploads.remove(ids);
}
