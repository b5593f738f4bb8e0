import pLimit from 'p-limit';
import { isErrorCode } from '../../contract/errors.ts';
import type { RejectedImage } from '../../contract/inspection.ts';
import type { VisualRequest } from '../../contract/requests.ts';
import type { PhotoRejection } from '../../domain/photo.ts';
import { MAX_IMAGE_BYTES, MAX_IMAGE_MB, MIN_IMAGE_SIZE } from '../../domain/photo-limits.ts';
import { ApiError } from '../http/api-error.ts';
import type { Uploads } from '../http/fastify-types.ts';
import type { FetchFailure, PhotoFetcher } from '../net/fetch-photo.ts';
import type { Programs } from '../programs.ts';
import { isUploadUrl, listUploadIds, UPLOAD_GONE } from './uploads.ts';

/** A photo that an inspection skips; `index` is its position in `images`. */
export interface UnusablePhoto extends RejectedImage {
  readonly index: number;
}

/** Why a photo cannot be used; with a `reason` it could not be obtained at all. */
type Refusal = PhotoRejection & { readonly reason?: string };

/** Converts a photo rejection to the contract's error; `index` is its position in the request, if it has one. */
export function makePhotoError({ code, message, found, needed, reason }: Refusal, index?: number): ApiError {
  const isSmall = code === 'IMAGE_QUALITY_TOO_LOW';
  const details = isSmall
    ? { current_resolution: found, minimum_resolution: MIN_IMAGE_SIZE }
    : reason === undefined
      ? { found, needed }
      : { reason };
  const errorCode = isErrorCode(code) ? code : 'IMAGE_UNREADABLE';
  if (index === undefined) return new ApiError(errorCode, message, { details });
  const text = isSmall ? `Image ${index} is ${found} pixels; at least ${MIN_IMAGE_SIZE} is needed.` : message;
  return new ApiError(errorCode, text, {
    field: `images[${index}].url`,
    details: { image_index: index, ...details },
  });
}

/** Returns the refusal of a photo that could not be obtained. */
function makeUnreachable(index: number, { code, reason, message }: FetchFailure): Refusal {
  const text = `images[${index}].url: ${message}.`;
  return { code, reason, message: text, found: reason, needed: 'a photo at this address' };
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
    return makeUnreachable(index, { code: 'IMAGE_FETCH_FAILED', reason: 'no_such_upload', message });
  }
  const received = await fetcher.fetch(url, signal);
  return received.ok ? received.bytes : makeUnreachable(index, received.failure);
}

/** Returns the error for the first photo whose upload another inspection used first. */
export function makeUploadGoneError(images: VisualRequest['images'], ids: readonly string[]): ApiError {
  const index = images.findIndex((image) => listUploadIds([image]).some((id) => ids.includes(id)));
  return makePhotoError(makeUnreachable(index, UPLOAD_GONE), index);
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
    return {
      code: 'IMAGE_TOO_LARGE',
      message: `Image ${index} is larger than ${MAX_IMAGE_MB} MB.`,
      found: `${bytes.byteLength} bytes`,
      needed: `at most ${MAX_IMAGE_MB} MB`,
    };
  }
  return (await options.checker.check(bytes, url)) ?? bytes;
}

interface CollectOptions {
  readonly uploads: Uploads | null;
  /** Stages a photo uploaded ahead of the request; false if no such upload is usable. */
  readonly stageUpload: (index: number, url: string) => Promise<boolean>;
  readonly fetcher: PhotoFetcher;
  readonly checker: Programs['photos'];
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
    let received: Buffer | Refusal;
    if (!isUploadUrl(url)) received = await obtainUsableBytes(index, url, options, abort.signal);
    else if (await options.stageUpload(index, url)) return;
    else received = makeUnreachable(index, UPLOAD_GONE);
    if (Buffer.isBuffer(received)) return options.store(index, received);
    if (!options.skipUnusable) throw makePhotoError(received, index);
    const { reason: _, ...rejection } = received;
    unusable.push({ index, url, ...rejection });
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
