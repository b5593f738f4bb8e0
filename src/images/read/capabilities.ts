import { openImage } from '../sharp.ts';
import { createHeicDecoder } from './heic-decoder.ts';
import { loadPhotoRules } from './photo-rules.ts';

/** Encodes and decodes a picture in memory. @throws what the image library says when it does not work here. */
export async function tryFormat(format: 'jpeg' | 'png'): Promise<void> {
  const raw = { width: 16, height: 16, channels: 3 } as const;
  const encoded = await openImage(new Uint8Array(16 * 16 * 3), { raw })
    .toFormat(format)
    .toBuffer();
  await openImage(encoded).raw().toBuffer();
}

/** What the HEIC decoder says to bytes that are no picture; it must answer, not fail to start or hang. */
const RUBBISH_IS_SEEN = /not|no |invalid|unsupported|heif|heic/i;

/** Starts the HEIC decoder in its thread. @throws Error when it does not start or does not answer in time. */
export async function tryHeic(): Promise<void> {
  const decoder = createHeicDecoder(loadPhotoRules().decodeTimeoutSeconds);
  try {
    const answer = await decoder.decode({ bytes: new Uint8Array(64), maxPixels: 1 });
    if (answer.ok || RUBBISH_IS_SEEN.test(answer.reason)) return;
    throw new Error(answer.reason);
  } finally {
    await decoder.close();
  }
}
