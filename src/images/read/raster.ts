import { RASTER_LONG_SIDE, type RgbImage } from '../../domain/photo.ts';
import { openImage, openPixels, type RgbaPixels, readPixels } from '../sharp.ts';
import type { PhotoRules } from './photo-rules.ts';

/**
 * Decodes a photo to upright 8-bit sRGB with a long side of at most `RASTER_LONG_SIDE`. Applies orientation and color
 * profile, converts gray, CMYK and 16-bit to RGB, and flattens transparency onto white.
 * @param failOn `warning` also rejects a JPEG if libjpeg warns about its data
 * @throws Error of libvips if the data is damaged or decoding times out
 */
export async function toRaster(
  photo: Uint8Array | RgbaPixels,
  { maxPixels, decodeTimeoutSeconds }: Pick<PhotoRules, 'maxPixels' | 'decodeTimeoutSeconds'>,
  failOn: 'warning' | 'error' = 'error',
): Promise<RgbImage> {
  const image =
    photo instanceof Uint8Array
      ? openImage(photo, { limitInputPixels: maxPixels, failOn })
      : openPixels(photo);
  const upright = image.timeout({ seconds: decodeTimeoutSeconds }).autoOrient().resize({
    width: RASTER_LONG_SIDE,
    height: RASTER_LONG_SIDE,
    fit: 'inside',
    withoutEnlargement: true,
  });
  return readPixels(upright.flatten({ background: '#ffffff' }).toColourspace('srgb'));
}
