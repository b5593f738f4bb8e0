import type { PhotoFormat } from '../../domain/photo.ts';
import { openImage } from '../sharp.ts';
import { createHeicDecoder, NO_PICTURE } from './heic-decoder.ts';
import { loadPhotoRules } from './photo-rules.ts';

/** Encodes and decodes a picture in memory. @throws Error of the image library if it does not work on this machine. */
export async function tryFormat(format: Exclude<PhotoFormat, 'heic'>): Promise<void> {
  const raw = { width: 16, height: 16, channels: 3 } as const;
  const encoded = await openImage(new Uint8Array(16 * 16 * 3), { raw })
    .toFormat(format)
    .toBuffer();
  await openImage(encoded).raw().toBuffer();
}

/** Runs the HEIC decoder on invalid data. @throws Error if it does not start or does not answer in time. */
export async function tryHeic(
  decoder = createHeicDecoder(loadPhotoRules().decodeTimeoutSeconds),
): Promise<void> {
  try {
    const answer = await decoder.decode({ bytes: new Uint8Array(64), maxPixels: 1, maxItems: 1 });
    if (answer.ok || answer.reason === NO_PICTURE) return;
    throw new Error(answer.reason);
  } finally {
    await decoder.close();
  }
}
