import type { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { VehiError } from '../../lib/errors.ts';
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
    const { response, alive } = await sendRequest(worker, request, timeoutSeconds);
    if (alive) thread.release(worker);
    else if (thread.discard(worker)) await worker.terminate();
    if (response instanceof VehiError) throw response;
    return response;
  };

  return {
    /** Any other failure is a response that is not `ok`. @throws VehiError engine if libheif-js is not installed */
    decode: (request: HeicRequest): Promise<HeicResponse> => serialize(() => decodeNow(request)),
    /** Ends the worker; a picture in progress is reported as interrupted. */
    close: thread.terminate,
  };
}

export type HeicDecoder = Readonly<ReturnType<typeof createHeicDecoder>>;

/** Sends a request to the worker; waits for its response, its death (an error if a package is missing) or the timeout. */
function sendRequest(
  worker: Worker,
  request: HeicRequest,
  timeoutSeconds: number,
): Promise<{ response: HeicResponse | VehiError; alive: boolean }> {
  return new Promise((resolve) => {
    const finish = (response: HeicResponse | VehiError, alive: boolean): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      // A terminating worker still needs an error listener, or its error would be uncaught.
      if (!alive) worker.on('error', () => undefined);
      resolve({ response, alive });
    };
    const onMessage = (response: HeicResponse): void => finish(response, true);
    const onError = (error: unknown): void => {
      const reason = `data that stops libheif (${String(error)})`;
      finish(findMissingPart(error) ?? { ok: false, reason }, false);
    };
    const onExit = (): void => finish({ ok: false, reason: 'decoding that was interrupted' }, false);
    const timer = setTimeout(
      () => finish({ ok: false, reason: `decoding that takes longer than ${timeoutSeconds} s` }, false),
      timeoutSeconds * 1000,
    );
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(request);
  });
}

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
