import pLimit from 'p-limit';
import { type ErrorCode, isErrorCode } from '../../contract/errors.ts';
import type { RejectedImage } from '../../contract/inspection.ts';
import type { VisualRequest } from '../../contract/requests.ts';
import type { PhotoRejection } from '../../domain/photo.ts';
import { MAX_IMAGE_BYTES, MAX_IMAGE_MB, MIN_IMAGE_SIZE } from '../../domain/photo-limits.ts';
import { ApiError } from '../http/api-error.ts';
import type { Uploads } from '../http/fastify-types.ts';
import type { PhotoFetcher } from '../net/fetch-photo.ts';
import type { PhotoChecker } from '../ports.ts';
import { isUploadUrl, listUploadIds, UPLOAD_GONE } from './uploads.ts';

/** A photo that an inspection skips; `index` is its position in `images`. */
export interface UnusablePhoto extends RejectedImage {
  readonly index: number;
}

/** Converts a photo rejection to the contract's error; `index` is its position in the request, if it has one. */
export function makePhotoError({ code, message, found, needed }: PhotoRejection, index?: number): ApiError {
  const isSmall = code === 'IMAGE_QUALITY_TOO_LOW';
  const details = isSmall
    ? { current_resolution: found, minimum_resolution: MIN_IMAGE_SIZE }
    : { found, needed };
  const errorCode = isErrorCode(code) ? code : 'IMAGE_UNREADABLE';
  if (index === undefined) return new ApiError(errorCode, message, { details });
  const text = isSmall ? `Image ${index} is ${found} pixels; at least ${MIN_IMAGE_SIZE} is needed.` : message;
  return new ApiError(errorCode, text, {
    field: `images[${index}].url`,
    details: { image_index: index, ...details },
  });
}

/** An unusable photo, both as an entry of the result and as the error of a request that needs every photo. */
interface Refusal {
  readonly rejection: PhotoRejection;
  readonly error: ApiError;
}

const makeRefusal = (index: number, rejection: PhotoRejection): Refusal => ({
  rejection,
  error: makePhotoError(rejection, index),
});

/** Returns the refusal of a photo that could not be fetched. */
function makeUnreachableRefusal(index: number, code: ErrorCode, reason: string, message: string): Refusal {
  const field = `images[${index}].url`;
  const details = { image_index: index, reason };
  return {
    rejection: { code, message: `${field}: ${message}.`, found: reason, needed: 'a photo at this address' },
    error: new ApiError(code, `${field}: ${message}.`, { field, details }),
  };
}

async function obtainBytes(
  index: number,
  url: string,
  { uploads, fetcher }: CollectOptions,
  signal: AbortSignal,
): Promise<Buffer | Refusal> {
  const upload = await uploads?.read(url);
  if (upload) return upload;
  if (uploads && !/^[a-z]+:/i.test(url)) {
    const message = `no uploaded file is named "${url.slice(0, 80)}"`;
    return makeUnreachableRefusal(index, 'IMAGE_FETCH_FAILED', 'no_such_upload', message);
  }
  const received = await fetcher.fetch(url, signal);
  if (received.ok) return received.bytes;
  const { code, reason, message } = received.failure;
  return makeUnreachableRefusal(index, code, reason, message);
}

/** Returns the error for the first photo whose upload another inspection used first. */
export function makeUploadGoneError(images: VisualRequest['images'], ids: readonly string[]): ApiError {
  const index = images.findIndex((image) => listUploadIds([image]).some((id) => ids.includes(id)));
  return makeUnreachableRefusal(index, 'IMAGE_FETCH_FAILED', UPLOAD_GONE.reason, UPLOAD_GONE.message).error;
}

/** Stages the photo of an upload for the inspection. */
async function stagePhoto(index: number, url: string, options: CollectOptions): Promise<undefined | Refusal> {
  if (await options.stageUpload(index, url)) return undefined;
  return makeUnreachableRefusal(index, 'IMAGE_FETCH_FAILED', UPLOAD_GONE.reason, UPLOAD_GONE.message);
}

async function obtainUsableBytes(
  index: number,
  url: string,
  options: CollectOptions,
  signal: AbortSignal,
): Promise<Buffer | Refusal> {
  const bytes = await obtainBytes(index, url, options, signal);
  if (!Buffer.isBuffer(bytes)) return bytes;
  if (bytes.byteLength > MAX_IMAGE_BYTES) {
    return makeRefusal(index, {
      code: 'IMAGE_TOO_LARGE',
      message: `Image ${index} is larger than ${MAX_IMAGE_MB} MB.`,
      found: `${bytes.byteLength} bytes`,
      needed: `at most ${MAX_IMAGE_MB} MB`,
    });
  }
  const rejection = await options.checker.check(bytes, url);
  return rejection ? makeRefusal(index, rejection) : bytes;
}

interface CollectOptions {
  readonly uploads: Uploads | null;
  /** Stages a photo uploaded ahead of the request; false if no such upload is usable. */
  readonly stageUpload: (index: number, url: string) => Promise<boolean>;
  readonly fetcher: PhotoFetcher;
  readonly checker: PhotoChecker;
  readonly concurrency: number;
  readonly store: (index: number, bytes: Buffer) => Promise<void>;
  /** Runs the callback once there is memory for one more photo. */
  readonly withMemory: <T>(callback: () => Promise<T>) => Promise<T>;
  /** Skip unusable photos; otherwise the first one rejects the request. */
  readonly skipUnusable: boolean;
}

/**
 * Fetches and checks all photos of a request in order, a few at a time, and passes each to `keep` as it arrives, so
 * only a few are in memory at once. Returns the skipped photos in request order.
 * @throws ApiError SERVICE_UNAVAILABLE if memory for photos is short, or the error of the first photo (by index, among
 * those processed) that cannot be fetched or breaks a rule, unless such photos are skipped.
 */
export async function collectPhotos(
  images: VisualRequest['images'],
  options: CollectOptions,
): Promise<readonly UnusablePhoto[]> {
  const abort = new AbortController();
  const unusable: UnusablePhoto[] = [];
  const collectOne = async ({ url }: VisualRequest['images'][number], index: number): Promise<void> => {
    if (abort.signal.aborted) return;
    const received = isUploadUrl(url)
      ? await stagePhoto(index, url, options)
      : await obtainUsableBytes(index, url, options, abort.signal);
    if (received === undefined) return;
    if (Buffer.isBuffer(received)) await options.store(index, received);
    else if (options.skipUnusable) unusable.push({ index, url, ...received.rejection });
    else throw received.error;
  };
  let failure: unknown;
  await pLimit(options.concurrency).map(images, (image, index) =>
    options
      .withMemory(() => collectOne(image, index))
      .catch((error: unknown) => {
        // Later errors only report the abort.
        failure ??= error;
        abort.abort();
      }),
  );
  if (failure !== undefined) throw failure;
  return unusable.sort((a, b) => a.index - b.index);
}
