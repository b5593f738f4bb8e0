import type { GreyImage, RgbImage } from '../../domain/photo.ts';
import { openImage } from '../sharp.ts';

/** Returns a raster in grey, scaled (up or down) so that its long side is exactly `longSide` pixels. */
export async function toGrey(raster: RgbImage, longSide: number): Promise<GreyImage> {
  const { data, info } = await openImage(raster.data, {
    raw: { width: raster.width, height: raster.height, channels: 3 },
  })
    .resize({ width: longSide, height: longSide, fit: 'inside' })
    .toColourspace('b-w')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
