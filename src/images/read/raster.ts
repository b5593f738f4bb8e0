import type { Size } from '../../domain/geometry.ts';
import { computeRasterLongSide, type RgbImage } from '../../domain/photo.ts';
import { openImage } from '../sharp.ts';

/** Upright pixels of HEIC, 8-bit RGBA, as libheif gives them. */
export interface RgbaPixels {
  readonly rgba: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A raster with the size of the upright original that it shows. */
export interface Raster {
  readonly raster: RgbImage;
  readonly size: Size;
}

interface RasterLimits {
  readonly maxPixels: number;
  readonly timeoutSeconds: number;
}

/**
 * Decodes a photo to upright 8-bit sRGB with a long side of at most `computeRasterLongSide`: orientation and colour
 * profile applied, grey, CMYK and 16-bit brought to RGB, transparency laid on white.
 * @param size of the upright photo, as its header says
 * @throws Error of libvips when the data is damaged or takes too long
 */
export async function toRaster(
  photo: Uint8Array | RgbaPixels,
  size: Size,
  limits: RasterLimits,
): Promise<RgbImage> {
  const image =
    photo instanceof Uint8Array
      ? openImage(photo, { limitInputPixels: limits.maxPixels })
      : openImage(photo.rgba, { raw: { width: photo.width, height: photo.height, channels: 4 } });
  const longSide = computeRasterLongSide(size);
  const { data, info } = await image
    .timeout({ seconds: limits.timeoutSeconds })
    .autoOrient()
    .resize({ width: longSide, height: longSide, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return {
    data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
    width: info.width,
    height: info.height,
  };
}
