import type { UploadAnswer } from '../../contract/uploads.ts';
import type { Angle } from '../../domain/damage.ts';
import { ApiError } from '../http/api-error.ts';
import type { Services } from '../services.ts';
import { makeUploadUrl, UPLOAD_FILE, UPLOAD_MS } from './kept-uploads.ts';

/** How long an address takes the photo of its upload. */
const ADDRESS_SECONDS = 15 * 60;
/** Uploads of an account that wait at the same time. */
const UPLOADS_MAX = 300;

/** A photo that has arrived, or that its owner will send. */
export interface NewPhoto {
  /** Name of its file. */
  readonly name: string;
  /** The view that the name says. */
  readonly angle: Angle | undefined;
  readonly bytes: number;
  readonly sha256: string;
}

/** @throws ApiError INVALID_REQUEST where the account has all uploads that it may have */
async function refuseTooMany(accountId: string, { store, settings, clock }: Services): Promise<void> {
  const waiting = await store.uploads.count(accountId, settings.environment, clock.wallMs() - UPLOAD_MS);
  if (waiting < UPLOADS_MAX) return;
  throw new ApiError(
    'INVALID_REQUEST',
    `${UPLOADS_MAX} uploads wait for an inspection already; inspect or delete some.`,
  );
}

async function createRecord(
  accountId: string,
  { name, angle, bytes, sha256 }: NewPhoto,
  announcedBytes: number | null,
  { store, settings, clock }: Services,
): Promise<UploadAnswer> {
  const createdAtMs = clock.wallMs();
  const id = clock.newId('upl');
  await store.uploads.create({
    ...{ id, accountId, environment: settings.environment, sha256, createdAtMs, announcedBytes },
  });
  return {
    ...{ upload_id: id, url: makeUploadUrl(id, name), bytes, sha256, angle: angle ?? null },
    expires_at: new Date(createdAtMs + UPLOAD_MS).toISOString(),
  };
}

/** Keeps a photo that has arrived and was judged. @throws ApiError INVALID_REQUEST for one too many */
export async function keepUpload(
  accountId: string,
  photo: NewPhoto,
  bytes: Uint8Array,
  services: Services,
): Promise<UploadAnswer> {
  await refuseTooMany(accountId, services);
  const upload = await createRecord(accountId, photo, null, services);
  await services.store.blobs.put(upload.upload_id, UPLOAD_FILE, bytes);
  return upload;
}

/**
 * Gives a photo an address that it can be sent to: of the store, so that its bytes do not pass through the service, or
 * of the service where clients cannot reach the store. @throws ApiError INVALID_REQUEST for one too many
 */
export async function announceUpload(
  accountId: string,
  photo: NewPhoto,
  services: Services,
): Promise<UploadAnswer> {
  const { store, clock, links } = services;
  await refuseTooMany(accountId, services);
  const upload = await createRecord(accountId, photo, photo.bytes, services);
  const { upload_id: id, bytes } = upload;
  const expiresAtMs = clock.wallMs() + ADDRESS_SECONDS * 1000;
  const limits = { bytes, seconds: ADDRESS_SECONDS };
  const url = (await store.blobs.presign?.(id, UPLOAD_FILE, limits)) ?? links.upload(id, ADDRESS_SECONDS);
  return {
    ...upload,
    put: {
      url,
      headers: { 'content-length': String(bytes) },
      expires_at: new Date(expiresAtMs).toISOString(),
    },
  };
}
