import type { UploadAnswer } from '../../contract/uploads.ts';
import type { Angle } from '../../domain/damage.ts';
import { ApiError } from '../http/api-error.ts';
import type { Services } from '../services.ts';
import { makeUploadUrl, UPLOAD_FILE, UPLOAD_MS } from './kept-uploads.ts';

/** Uploads of an account that wait at the same time. */
const UPLOADS_MAX = 300;

/** A photo that has arrived. */
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

/** Keeps a photo that has arrived and was judged. @throws ApiError INVALID_REQUEST for one too many */
export async function keepUpload(
  accountId: string,
  { name, angle, bytes, sha256 }: NewPhoto,
  photo: Uint8Array,
  services: Services,
): Promise<UploadAnswer> {
  const { store, settings, clock } = services;
  await refuseTooMany(accountId, services);
  const createdAtMs = clock.wallMs();
  const id = clock.newId('upl');
  await store.uploads.create({ id, accountId, environment: settings.environment, sha256, createdAtMs });
  await store.blobs.put(id, UPLOAD_FILE, photo);
  return {
    ...{ upload_id: id, url: makeUploadUrl(id, name), bytes, sha256, angle: angle ?? null },
    expires_at: new Date(createdAtMs + UPLOAD_MS).toISOString(),
  };
}
