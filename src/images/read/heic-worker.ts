import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { type HeicAnswer, type HeicOrder, NO_PICTURE } from './heic-decoder.ts';

/** A picture of a HEIF container in libheif-js. */
interface HeifImage {
  get_width(): number;
  get_height(): number;
  is_primary(): boolean;
  free(): void;
  display(
    target: { data: Uint8ClampedArray; width: number; height: number },
    done: (result: { data: Uint8ClampedArray } | null) => void,
  ): void;
}

interface LibHeif {
  readonly ready?: Promise<unknown>;
  readonly HeifDecoder: new () => {
    decode(bytes: Uint8Array): HeifImage[];
    readonly decoder: { delete?(): void } | null;
  };
}

// libheif logs errors to the console. stdout is reserved for results, and a worker that writes to it keeps the whole
// process alive until it ends. Relevant errors are returned in the response.
const ignore = (): void => undefined;
Object.assign(console, { log: ignore, info: ignore, warn: ignore, error: ignore, debug: ignore });

const libheif = createRequire(import.meta.url)('libheif-js/wasm-bundle') as LibHeif;

async function decode(order: HeicOrder): Promise<HeicAnswer> {
  await libheif.ready;
  const decoder = new libheif.HeifDecoder();
  const images = decoder.decode(order.bytes);
  try {
    const image = images.find((candidate) => candidate.is_primary()) ?? images[0];
    if (image === undefined) return { ok: false, reason: NO_PICTURE };
    const width = image.get_width();
    const height = image.get_height();
    if (!(width > 0 && height > 0)) return { ok: false, reason: `a picture of ${width}x${height} pixels` };
    if (width * height > order.maxPixels)
      return { ok: false, reason: `a picture of ${width}x${height} pixels` };
    const data = new Uint8ClampedArray(width * height * 4);
    const shown = await new Promise<unknown>((resolve) => image.display({ data, width, height }, resolve));
    if (shown === null) return { ok: false, reason: 'picture data that libheif cannot decode' };
    return { ok: true, rgba: new Uint8Array(data.buffer), width, height };
  } finally {
    for (const image of images) image.free();
    decoder.decoder?.delete?.();
  }
}

parentPort?.on('message', (order: HeicOrder) => {
  void decode(order)
    .catch(
      (error: unknown): HeicAnswer => ({ ok: false, reason: `data that libheif refuses (${String(error)})` }),
    )
    .then((answer) => parentPort?.postMessage(answer, answer.ok ? [answer.rgba.buffer as ArrayBuffer] : []));
});
