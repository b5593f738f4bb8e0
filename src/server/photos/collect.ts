import { isErrorCode } from '../../contract/errors.ts';
import { IMAGE_BYTES_MAX, type VisualRequest } from '../../contract/requests.ts';
import type { PhotoRejection } from '../../domain/photo.ts';
import { ApiError } from '../http/api-error.ts';
import type { PhotoFetcher } from '../net/fetch-photo.ts';
import type { PhotoChecker } from '../ports.ts';

/** The contract's error for a photo that breaks a rule. */
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

async function bytesOf(
  index: number,
  url: string,
  uploads: ReadonlyMap<string, Buffer> | null,
  fetcher: PhotoFetcher,
  signal: AbortSignal,
): Promise<Buffer> {
  const field = `images[${index}].url`;
  const upload = uploads?.get(url);
  if (upload) return upload;
  if (uploads && !/^[a-z]+:/i.test(url)) {
    throw new ApiError('IMAGE_FETCH_FAILED', `${field}: no uploaded file is named "${url.slice(0, 80)}".`, {
      field,
      details: { image_index: index, reason: 'no_such_upload' },
    });
  }
  const got = await fetcher.fetch(url, signal);
  if (got.ok) return got.bytes;
  const { code, reason, message } = got.failure;
  throw new ApiError(code, `${field}: ${message}.`, { field, details: { image_index: index, reason } });
}

/**
 * The bytes of all photos of a request, in its order, a few at a time, each checked; handed to `keep` one by one so
 * that no more than a few are held in memory.
 * @throws ApiError naming the first photo (by index, among those looked at) that cannot be had or breaks a rule.
 */
export async function collectPhotos(
  images: VisualRequest['images'],
  options: {
    uploads: ReadonlyMap<string, Buffer> | null;
    fetcher: PhotoFetcher;
    checker: PhotoChecker;
    concurrency: number;
    keep: (index: number, bytes: Buffer) => Promise<void>;
  },
): Promise<void> {
  const stop = new AbortController();
  const failures: { index: number; error: unknown }[] = [];
  let next = 0;
  async function worker(): Promise<void> {
    while (next < images.length && failures.length === 0) {
      const index = next++;
      const url = images[index]?.url ?? '';
      try {
        const bytes = await bytesOf(index, url, options.uploads, options.fetcher, stop.signal);
        if (bytes.byteLength > IMAGE_BYTES_MAX) {
          throw photoError(index, {
            code: 'IMAGE_TOO_LARGE',
            message: `Image ${index} is larger than 10 MB.`,
            found: `${bytes.byteLength} bytes`,
            needed: 'at most 10 MB',
          });
        }
        const rejection = await options.checker.check(bytes, url);
        if (rejection) throw photoError(index, rejection);
        await options.keep(index, bytes);
      } catch (error) {
        if (!stop.signal.aborted) failures.push({ index, error });
        stop.abort();
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(options.concurrency, images.length) }, worker));
  const first = failures[0];
  if (first) throw first.error;
}
