import type { Worker } from 'node:worker_threads';
import { createIdleThread, startThread } from '../../lib/thread.ts';

/** What the worker is asked: one HEIC file, and how many pixels it may claim. */
export interface HeicOrder {
  readonly bytes: Uint8Array;
  readonly maxPixels: number;
}

/** What it answers: the primary picture, upright (libheif has applied the container's rotation), 8-bit RGBA. */
export type HeicAnswer =
  | { readonly ok: true; readonly rgba: Uint8Array; readonly width: number; readonly height: number }
  | { readonly ok: false; readonly reason: string };

/** The decoder's reason for a file without a picture; a thread that fails gives another. */
export const NO_PICTURE = 'no picture in the container';

/** Decodes HEIC pictures one after the other in a worker thread that starts with the first and leaves when idle. */
export interface HeicDecoder {
  decode(order: HeicOrder): Promise<HeicAnswer>;
  /** Ends the worker; a picture being decoded is answered as interrupted. */
  close(): Promise<void>;
}

/** A worker with nothing to do keeps the memory of the largest picture it saw; after this time it ends. */
const IDLE_MS = 30_000;

/**
 * Creates a HEIC decoder that works in a thread, which starts with the first picture.
 * @param timeoutSeconds longest time one picture may take before its worker is ended and replaced
 */
export function createHeicDecoder(timeoutSeconds: number): HeicDecoder {
  const thread = createIdleThread(() => startThread('images/read/heic-worker'), IDLE_MS);
  let queue: Promise<unknown> = Promise.resolve();

  const decodeNow = async (order: HeicOrder): Promise<HeicAnswer> => {
    const worker = thread.wake();
    const { answer, alive } = await ask(worker, order, timeoutSeconds);
    if (alive) thread.rest(worker);
    else if (thread.forget(worker)) await worker.terminate();
    return answer;
  };

  return {
    decode(order) {
      const answer = queue.then(() => decodeNow(order));
      queue = answer.catch(() => undefined);
      return answer;
    },
    close: thread.end,
  };
}

/** Hands one order to the worker and waits for its answer, its death or the end of its time. */
function ask(
  worker: Worker,
  order: HeicOrder,
  timeoutSeconds: number,
): Promise<{ answer: HeicAnswer; alive: boolean }> {
  return new Promise((resolve) => {
    const finish = (answer: HeicAnswer, alive: boolean): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      // The error of a worker that is being dropped has no one else to hear it.
      if (!alive) worker.on('error', () => undefined);
      resolve({ answer, alive });
    };
    const onMessage = (answer: HeicAnswer): void => finish(answer, true);
    const onError = (error: unknown): void =>
      finish({ ok: false, reason: `data that stops libheif (${String(error)})` }, false);
    const onExit = (): void => finish({ ok: false, reason: 'decoding that was interrupted' }, false);
    const timer = setTimeout(
      () => finish({ ok: false, reason: `decoding that takes longer than ${timeoutSeconds} s` }, false),
      timeoutSeconds * 1000,
    );
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(order);
  });
}
