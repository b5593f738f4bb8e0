import { once } from 'node:events';
import pLimit from 'p-limit';
import { findMissingPart } from '../../lib/missing-packages.ts';
import { createIdleThread, startThread } from '../../lib/thread.ts';
import type { RgbaPixels } from '../sharp.ts';
import { loadPhotoRules } from './photo-rules.ts';

/** Request to the worker: a HEIC file, and the maximum number of pixels and of items. */
export interface HeicRequest {
  readonly bytes: Uint8Array;
  readonly maxPixels: number;
  readonly maxItems: number;
}

/** Response of the worker: the primary picture, upright (libheif applies the container's rotation), 8-bit RGBA. */
export type HeicResponse =
  | (RgbaPixels & {
      readonly ok: true;
      /** ICC profile of the pixels, if present. */
      readonly profile?: Uint8Array;
      /** Share of the picture without decoded data, 0 to 1. */
      readonly missingShare: number;
    })
  | { readonly ok: false; readonly reason: string };

/** Reason that the decoder gives for a file without a picture, as opposed to a failing thread. */
export const NO_PICTURE = 'no picture in the container';

/** Idle timeout in milliseconds; an idle worker keeps the memory of its largest picture. */
const IDLE_MS = 30_000;

/**
 * Creates a decoder of HEIC pictures, one at a time, in a worker thread that starts on demand and ends when idle.
 * @param timeoutSeconds time limit per picture, after which its worker is terminated and replaced
 */
export function createHeicDecoder(timeoutSeconds: number) {
  const thread = createIdleThread(() => startThread('images/read/heic-worker'), IDLE_MS);
  const serialize = pLimit(1);

  const decodeNow = async (request: HeicRequest): Promise<HeicResponse> => {
    const worker = thread.acquire();
    const stop = new AbortController();
    const end = () => stop.abort('decoding that was interrupted');
    worker.once('exit', end);
    const late = `decoding that takes longer than ${timeoutSeconds} s`;
    const timer = setTimeout(() => stop.abort(late), timeoutSeconds * 1000);
    try {
      worker.postMessage(request);
      const [response] = await once(worker, 'message', { signal: stop.signal });
      thread.release(worker);
      return response;
    } catch (error) {
      const { aborted, reason } = stop.signal;
      // A terminating worker still needs an error listener, or its error would be uncaught.
      worker.on('error', () => undefined);
      if (thread.discard(worker)) await worker.terminate();
      const missing = findMissingPart(error);
      if (missing) throw missing;
      return { ok: false, reason: aborted ? reason : `data that stops libheif (${String(error)})` };
    } finally {
      clearTimeout(timer);
      worker.off('exit', end);
    }
  };

  return {
    /** Any other failure is a response that is not `ok`. @throws VehiError engine if libheif-js is not installed */
    decode: (request: HeicRequest): Promise<HeicResponse> => serialize(() => decodeNow(request)),
    /** Ends the worker; a picture in progress is reported as interrupted. */
    close: thread.terminate,
  };
}

export type HeicDecoder = Readonly<ReturnType<typeof createHeicDecoder>>;

/** Runs a HEIC decoder on invalid data and closes it. @throws Error if it does not start or respond in time. */
export async function tryHeic(
  decoder = createHeicDecoder(loadPhotoRules().decodeTimeoutSeconds),
): Promise<void> {
  try {
    const response = await decoder.decode({ bytes: new Uint8Array(64), maxPixels: 1, maxItems: 1 });
    if (response.ok || response.reason === NO_PICTURE) return;
    throw new Error(response.reason);
  } finally {
    await decoder.close();
  }
}
