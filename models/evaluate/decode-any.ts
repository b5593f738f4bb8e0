import { readFile } from 'node:fs/promises';
import type { Size } from '../../src/domain/geometry.ts';
import type { RgbImage } from '../../src/domain/photo.ts';
import { toRaster } from '../../src/images/read/raster.ts';
import { openImage } from '../../src/images/sharp.ts';

const LIMITS = { maxPixels: 200_000_000, decodeTimeoutSeconds: 30 };

/**
 * Decodes an upright image exempt from the photo rules (also small ones and WebP), for measuring models on annotated
 * collections.
 * @throws Error of the file system or of libvips
 */
export async function decodeAny(path: string): Promise<{ raster: RgbImage; size: Size }> {
  const bytes = await readFile(path);
  const { autoOrient } = await openImage(bytes, { limitInputPixels: LIMITS.maxPixels }).metadata();
  return {
    raster: await toRaster(bytes, LIMITS),
    size: { width: autoOrient.width, height: autoOrient.height },
  };
}
