import { RASTER_LONG_SIDE, type RgbImage } from '../../domain/photo.ts';
import { openImage, openPixels, type RgbaPixels, readPixels } from '../sharp.ts';

interface RasterLimits {
  readonly maxPixels: number;
  readonly timeoutSeconds: number;
  /** `warning` refuses a JPEG whose data libjpeg doubts; `none` shows what there is of a damaged one. */
  readonly failOn?: 'error' | 'warning';
}

/**
 * Decodes a photo to upright 8-bit sRGB with a long side of at most `RASTER_LONG_SIDE`. Applies orientation and
 * colour profile, converts grey, CMYK and 16-bit to RGB, and flattens transparency onto white.
 * @throws Error of libvips if the data is damaged or decoding times out
 */
export async function toRaster(photo: Uint8Array | RgbaPixels, limits: RasterLimits): Promise<RgbImage> {
  const image =
    photo instanceof Uint8Array
      ? openImage(photo, { limitInputPixels: limits.maxPixels, failOn: limits.failOn ?? 'error' })
      : openPixels(photo);
  const upright = image.timeout({ seconds: limits.timeoutSeconds }).autoOrient().resize({
    width: RASTER_LONG_SIDE,
    height: RASTER_LONG_SIDE,
    fit: 'inside',
    withoutEnlargement: true,
  });
  return readPixels(upright.flatten({ background: '#ffffff' }).toColourspace('srgb'));
}
