import { openImage } from '../sharp.ts';

/**
 * Returns the same picture as PNG, for readers that take nothing else.
 * @param picture a JPEG or PNG of our own making
 */
export async function asPng(picture: Uint8Array): Promise<Uint8Array> {
  return openImage(picture).png({ compressionLevel: 6 }).toBuffer();
}
