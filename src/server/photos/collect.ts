import type { FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import { isErrorCode } from '../../contract/errors.ts';
import type { RejectedImage } from '../../contract/inspection.ts';
import type { VisualRequest } from '../../contract/requests.ts';
import type { PhotoRejection } from '../../domain/photo.ts';
import { MAX_IMAGE_BYTES, MAX_IMAGE_MB, MIN_IMAGE_SIZE } from '../../domain/photo-limits.ts';
import { VISUAL_DEFAULTS } from '../../domain/visual-options.ts';
import { makeRejection } from '../../images/read/rejection.ts';
import { escapeName } from '../../lib/names.ts';
import { ApiError } from '../http/api-error.ts';
import { readCaller } from '../http/auth.ts';
import type { FetchFailure } from '../net/fetch-photo.ts';
import { namePhoto } from '../photo-files.ts';
import type { Services } from '../services.ts';
import { isUploadUrl, stageUpload, UPLOAD_GONE } from './uploads.ts';

/** Maximum number of photos of one request fetched concurrently. */
const MAX_FETCHES = 6;

/** A photo that an inspection skips; `index` is its position in `images`. */
export interface UnusablePhoto extends RejectedImage {
  readonly index: number;
}

/** Reason why a photo cannot be used; with a `reason`, it could not be obtained at all. */
type Refusal = PhotoRejection & { readonly reason?: string };

/** Converts a photo rejection to the contract's error; `index` is its position in the request, if it has one. */
export function makePhotoError({ code, message, found, needed, reason }: Refusal, index?: number): ApiError {
  const resolutions = { current_resolution: found, minimum_resolution: MIN_IMAGE_SIZE };
  const reasons = reason === undefined ? { found, needed } : { reason };
  const details = code === 'IMAGE_QUALITY_TOO_LOW' ? resolutions : reasons;
  // A photo that crashes the decoder has a code of `rejected_images` only.
  const errorCode = isErrorCode(code) ? code : 'IMAGE_UNREADABLE';
  if (index === undefined) return new ApiError(errorCode, message, { details });
  const field = `images[${index}].url`;
  return new ApiError(errorCode, message, { field, details: { image_index: index, ...details } });
}

/** Returns the refusal of a photo that could not be obtained; its message names the address without a password. */
function makeUnreachable(url: string, { code, reason, message }: FetchFailure): Refusal {
  const name = escapeName(url.replace(/(?<=\/\/)[^/]*@/, ''));
  return { code, reason, message: `${name}: ${message}.`, found: reason, needed: 'a photo at this address' };
}

/** Returns the bytes of a photo from the request's files or from its URL, or why it cannot be used. */
async function obtainPhoto(
  url: string,
  { uploads }: FastifyRequest,
  { fetcher, backend }: Services,
  signal: AbortSignal,
): Promise<Buffer | Refusal> {
  const uploaded = await uploads?.read(url);
  if (!uploaded && uploads && !/^[a-z]+:/i.test(url)) {
    const message = 'no uploaded file has this name';
    return makeUnreachable(url, { code: 'IMAGE_FETCH_FAILED', reason: 'no_such_upload', message });
  }
  const bytes = uploaded ?? (await fetcher.fetch(url, signal));
  if (!Buffer.isBuffer(bytes)) return makeUnreachable(url, bytes);
  const [found, needed] = [`more than ${MAX_IMAGE_MB} MB`, `at most ${MAX_IMAGE_MB} MB`];
  if (bytes.byteLength > MAX_IMAGE_BYTES) return makeRejection(url, 'IMAGE_TOO_LARGE', found, needed);
  return (await backend.photos.check(bytes, url)) ?? bytes;
}

/**
 * Stages the photos of a request for the inspection `id`: fetches and checks them in order, a few at a time, so only a few
 * are in memory at once. Returns the skipped photos in request order.
 * @throws ApiError SERVICE_UNAVAILABLE if memory for photos is short, or the error of the photo that is first found to be
 * unavailable or to break a rule, unless such photos are skipped.
 */
export async function collectPhotos(
  id: string,
  { images, options }: VisualRequest,
  request: FastifyRequest,
  services: Services,
): Promise<readonly UnusablePhoto[]> {
  const { account } = readCaller(request);
  const skipsUnusable = options?.skip_unusable_images ?? VISUAL_DEFAULTS.skip_unusable_images;
  const abort = new AbortController();
  const unusable: UnusablePhoto[] = [];
  const stageOne = async (url: string, index: number): Promise<Refusal | undefined> => {
    const target = { owner: id, name: namePhoto(index) };
    if (isUploadUrl(url)) {
      const isStaged = await stageUpload(url, account.id, target, services);
      return isStaged ? undefined : makeUnreachable(url, UPLOAD_GONE);
    }
    const photo = await obtainPhoto(url, request, services, abort.signal);
    if (!Buffer.isBuffer(photo)) return photo;
    await services.store.blobs.stage(target.owner, target.name, photo);
    return undefined;
  };
  const collectOne = async (url: string, index: number): Promise<void> => {
    const refusal = abort.signal.aborted ? undefined : await stageOne(url, index);
    if (!refusal) return;
    if (!skipsUnusable) throw makePhotoError(refusal, index);
    const { reason: _, ...rejection } = refusal;
    unusable.push({ index, url, ...rejection });
  };
  let failure: unknown;
  await pLimit(MAX_FETCHES).map(images, ({ url }, index) =>
    services.photoSlots
      .run(account.id, () => collectOne(url, index))
      .catch((error: unknown) => {
        // Later errors are only consequences of the abort.
        failure ??= error;
        abort.abort();
      }),
  );
  if (failure !== undefined) throw failure;
  return unusable.sort((a, b) => a.index - b.index);
}
