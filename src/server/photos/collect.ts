import pMap from 'p-map';
import { type ErrorCode, isErrorCode } from '../../contract/errors.ts';
import { IMAGE_BYTES_MAX, type VisualRequest } from '../../contract/requests.ts';
import type { PhotoRejection } from '../../domain/photo.ts';
import { ApiError } from '../http/api-error.ts';
import type { Uploads } from '../http/app-type.ts';
import type { UnusablePhoto } from '../jobs/visual-job.ts';
import type { PhotoFetcher } from '../net/fetch-photo.ts';
import type { PhotoChecker } from '../ports.ts';
import { isUploadUrl } from './kept-uploads.ts';

/** Returns the contract's error for a photo that breaks a rule. */
export function photoError(index: number, { code, message, found, needed }: PhotoRejection): ApiError {
  const field = `images[${index}].url`;
  if (code === 'IMAGE_QUALITY_TOO_LOW') {
    return new ApiError(code, `Image ${index} is ${found} pixels; at least 1280x720 is needed.`, {
      field,
      details: { image_index: index, current_resolution: found, minimum_resolution: '1280x720' },
    });
  }
  const known = isErrorCode(code) ? code : 'IMAGE_UNREADABLE';
  return new ApiError(known, message, { field, details: { image_index: index, found, needed } });
}

/** A photo that cannot be used: as a result lists it, and as the error of a request that needs all of them. */
interface Refusal {
  readonly rejection: PhotoRejection;
  readonly error: ApiError;
}

const refusal = (index: number, rejection: PhotoRejection): Refusal => ({
  rejection,
  error: photoError(index, rejection),
});

/** Returns the refusal of a photo that could not be fetched, and why. */
function unreachable(index: number, code: ErrorCode, reason: string, message: string): Refusal {
  const field = `images[${index}].url`;
  const details = { image_index: index, reason };
  return {
    rejection: { code, message: `${field}: ${message}.`, found: reason, needed: 'a photo at this address' },
    error: new ApiError(code, `${field}: ${message}.`, { field, details }),
  };
}

async function bytesOf(
  index: number,
  url: string,
  { uploads, kept, fetcher }: CollectOptions,
  signal: AbortSignal,
): Promise<Buffer | Refusal> {
  if (isUploadUrl(url)) {
    const bytes = await kept(url);
    if (bytes) return bytes;
    const message = 'there is no such upload, or it has been used or has expired';
    return unreachable(index, 'IMAGE_FETCH_FAILED', 'no_such_upload', message);
  }
  const upload = await uploads?.read(url);
  if (upload) return upload;
  if (uploads && !/^[a-z]+:/i.test(url)) {
    const message = `no uploaded file is named "${url.slice(0, 80)}"`;
    return unreachable(index, 'IMAGE_FETCH_FAILED', 'no_such_upload', message);
  }
  const got = await fetcher.fetch(url, signal);
  if (got.ok) return got.bytes;
  const { code, reason, message } = got.failure;
  return unreachable(index, code, reason, message);
}

async function usableBytes(
  index: number,
  url: string,
  options: CollectOptions,
  signal: AbortSignal,
): Promise<Buffer | Refusal> {
  const bytes = await bytesOf(index, url, options, signal);
  if (!Buffer.isBuffer(bytes)) return bytes;
  if (bytes.byteLength > IMAGE_BYTES_MAX) {
    return refusal(index, {
      code: 'IMAGE_TOO_LARGE',
      message: `Image ${index} is larger than 10 MB.`,
      found: `${bytes.byteLength} bytes`,
      needed: 'at most 10 MB',
    });
  }
  const rejection = await options.checker.check(bytes, url);
  return rejection ? refusal(index, rejection) : bytes;
}

interface CollectOptions {
  readonly uploads: Uploads | null;
  /** The bytes behind an address that an upload was given. */
  readonly kept: (url: string) => Promise<Buffer | undefined>;
  readonly fetcher: PhotoFetcher;
  readonly checker: PhotoChecker;
  readonly concurrency: number;
  readonly keep: (index: number, bytes: Buffer) => Promise<void>;
  /** Waits until there is memory for one more photo. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Continue without photos that cannot be used; otherwise the first of them ends it. */
  readonly skipUnusable: boolean;
}

/**
 * Fetches the bytes of all photos of a request, in its order, a few at a time, each checked; they are passed to `keep`
 * one by one so that no more than a few are held in memory. Returns those that were left out, in order.
 * @throws ApiError SERVICE_UNAVAILABLE where memory for photos is short, or naming the first photo (by index, among
 * those looked at) that cannot be fetched or breaks a rule, unless such photos are skipped.
 */
export async function collectPhotos(
  images: VisualRequest['images'],
  options: CollectOptions,
): Promise<readonly UnusablePhoto[]> {
  const stop = new AbortController();
  const unusable: UnusablePhoto[] = [];
  const collectOne = async ({ url }: VisualRequest['images'][number], index: number): Promise<void> => {
    if (stop.signal.aborted) return;
    const got = await usableBytes(index, url, options, stop.signal);
    if (Buffer.isBuffer(got)) await options.keep(index, got);
    else if (options.skipUnusable) unusable.push({ index, url, ...got.rejection });
    else throw got.error;
  };
  let failure: unknown;
  await pMap(
    images,
    (image, index) =>
      options
        .inTurn(() => collectOne(image, index))
        .catch((error: unknown) => {
          // What the others find after that is only that they were cut off.
          failure ??= error;
          stop.abort();
        }),
    { concurrency: options.concurrency },
  );
  if (failure !== undefined) throw failure;
  return unusable.sort((a, b) => a.index - b.index);
}
