import type { UploadAnswer } from '../../contract/uploads.ts';
import { toPhotoType } from '../../domain/photo.ts';
import { readAngleFromName } from '../../images/find/angle-from-name.ts';
import { HOUR_MS } from '../../lib/durations.ts';
import { hashBytes } from '../../lib/ids.ts';
import type { Store, UploadRecord } from '../../storage/ports.ts';
import { makeRequestError } from '../http/api-error.ts';
import type { Services } from '../services.ts';

/** Lifetime of an unused upload. */
export const EXPIRY_HOURS = 1;
const EXPIRY_MS = EXPIRY_HOURS * HOUR_MS;
/** File name of an upload's bytes. */
export const UPLOAD_FILE = 'photo';

const ID_PREFIX = 'upl';
/** Scheme of the URL of an upload; a photo of a multipart request may be named `upload:x.jpg`. */
const SCHEME = 'upload:';
const UPLOAD_URL = new RegExp(`^${SCHEME}(${ID_PREFIX}_[0-9A-Z]{26})(/[^/]*)?$`);
const MAX_NAME_LENGTH = 80;

/** Returns the URL of an upload; the file name in it only helps readers of the result. */
function makeUploadUrl(id: string, name: string): string {
  const kept = [...name.replace(/[^\p{L}\p{N}._-]+/gu, '_')].slice(-MAX_NAME_LENGTH);
  return `${SCHEME}${id}/${kept.join('')}`;
}

/** Returns true if the URL names an upload, existing or not. */
export const isUploadUrl = (url: string): boolean => url.startsWith(`${SCHEME}${ID_PREFIX}_`);

/** Returns an upload; undefined if it never existed, was used, or has expired. */
export async function findUpload(id: string, { store, clock }: Services): Promise<UploadRecord | undefined> {
  const upload = await store.uploads.get(id);
  return upload && upload.createdAtMs + EXPIRY_MS > clock.wallMs() ? upload : undefined;
}

/** Failure for an upload that never existed, has expired, or was used by another inspection. */
export const UPLOAD_GONE = {
  code: 'IMAGE_FETCH_FAILED',
  reason: 'no_such_upload',
  message: 'there is no such upload, or it has been used or has expired',
} as const;

/** Stages the photo of an upload for its inspection; false if the upload is unusable. */
export async function stageUpload(
  url: string,
  accountId: string,
  target: { readonly owner: string; readonly name: string },
  services: Services,
): Promise<boolean> {
  const id = UPLOAD_URL.exec(url)?.[1];
  const upload = id === undefined ? undefined : await findUpload(id, services);
  if (upload?.accountId !== accountId || upload.environment !== services.settings.environment) return false;
  return services.store.blobs.stageCopy(target.owner, target.name, { owner: upload.id, name: UPLOAD_FILE });
}

/** Returns the distinct upload ids among the photos of a request. */
export function listUploadIds(images: readonly { readonly url: string }[]): string[] {
  return [...new Set(images.flatMap(({ url }) => UPLOAD_URL.exec(url)?.[1] ?? []))];
}

/** Removes the files and records of used or discarded uploads, records last: the sweep cleans up after a crash. */
export async function removeUploads(ids: readonly string[], store: Store): Promise<void> {
  for (const id of ids) await store.blobs.remove(id);
  if (ids.length > 0) await store.uploads.remove(ids);
}

export async function sweepUploads(nowMs: number, store: Store): Promise<void> {
  await removeUploads(await store.uploads.listBefore(nowMs - EXPIRY_MS), store);
}

/** Maximum unused uploads of an account in one environment. */
const MAX_UPLOADS = 300;

/** Stores a checked photo as an upload. @throws ApiError INVALID_REQUEST at the account's limit */
export async function storeUpload(
  accountId: string,
  name: string,
  photo: Uint8Array,
  { store, settings, clock }: Services,
): Promise<UploadAnswer> {
  const createdAtMs = clock.wallMs();
  const { environment } = settings;
  if ((await store.uploads.count(accountId, environment, createdAtMs - EXPIRY_MS)) >= MAX_UPLOADS)
    throw makeRequestError(`${MAX_UPLOADS} uploads wait for an inspection already; inspect or delete some.`);
  const id = clock.newId(ID_PREFIX);
  const sha256 = hashBytes(photo);
  // The record comes first, because the sweep finds files by it.
  await store.uploads.create({ id, accountId, environment, sha256, createdAtMs });
  await store.blobs.put(id, UPLOAD_FILE, photo).catch(async (error: unknown) => {
    await removeUploads([id], store);
    throw error;
  });
  const named = readAngleFromName(name);
  return {
    upload_id: id,
    url: makeUploadUrl(id, name),
    bytes: photo.byteLength,
    sha256,
    // An inside view would exclude the photo, and a name alone is too weak evidence: `seat_left.jpg` may be a SEAT.
    angle: named && toPhotoType(named) === 'exterior' ? named : null,
    expires_at: new Date(createdAtMs + EXPIRY_MS).toISOString(),
  };
}
