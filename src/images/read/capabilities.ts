import type { PhotoFormat } from '../../domain/photo.ts';
import { openImage } from '../sharp.ts';

/** Encodes and decodes a picture in memory. @throws Error of the image library if it does not work on this machine. */
export async function tryFormat(format: Exclude<PhotoFormat, 'heic'>): Promise<void> {
  const raw = { width: 16, height: 16, channels: 3 } as const;
  const encoded = await openImage(new Uint8Array(16 * 16 * 3), { raw })
    .toFormat(format)
    .toBuffer();
  await openImage(encoded).raw().toBuffer();
}
