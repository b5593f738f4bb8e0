import { type Box, clampToPixels, type Size } from '../domain/geometry.ts';
import type { RgbImage } from '../domain/photo.ts';
import { openImage } from './sharp.ts';

/**
 * Cuts `box` (pixels of `raster`, brought to whole ones inside it) out and stretches it to `size`, off the main thread.
 * The cubic kernel comes closest to the area averaging that the models were trained on (root mean square difference
 * 1.1 to 1.3 grey levels at 416 pixels, Lanczos 1.7 to 2.2).
 */
export async function resizeRgb(raster: RgbImage, box: Box, size: Size): Promise<RgbImage> {
  const { x, y, width, height } = clampToPixels(box, raster);
  const data = await openImage(raster.data, {
    raw: { width: raster.width, height: raster.height, channels: 3 },
  })
    .extract({ left: x, top: y, width, height })
    .resize({ width: size.width, height: size.height, fit: 'fill', kernel: 'cubic' })
    .raw({ depth: 'uchar' })
    .toBuffer();
  return {
    data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
    width: size.width,
    height: size.height,
  };
}
