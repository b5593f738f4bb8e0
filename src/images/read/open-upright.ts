import type { Sharp } from 'sharp';
import type { Size } from '../../domain/geometry.ts';
import { VehiError } from '../../lib/errors.ts';
import { openImage } from '../sharp.ts';
import { checkPhoto, damaged, decodeHeic } from './checked-photo.ts';
import type { HeicDecoder } from './heic-decoder.ts';
import type { PhotoRules } from './photo-rules.ts';
import { RejectedPhoto } from './rejection.ts';
import type { ByteSource } from './source-bytes.ts';

/** A photo at full size. */
export interface UprightPhoto {
  /** Upright size. */
  readonly size: Size;
  /** A fresh pipeline over the photo: upright, opaque, sRGB. */
  pixels(): Sharp;
  /** Runs a pipeline; damage to the data is reported as the reader would. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Opens a photo for making pictures of it; HEIC is decoded once, here.
 * @throws VehiError input with the reader's codes
 */
export async function openUpright(
  source: ByteSource,
  rules: PhotoRules,
  heic: HeicDecoder,
): Promise<UprightPhoto> {
  return asInputError(async () => {
    const photo = await checkPhoto(source, rules);
    const decoded = photo.format === 'heic' ? await decodeHeic(photo, rules, heic) : undefined;
    const size = decoded ?? photo.claimed;
    const open = (): Sharp =>
      decoded === undefined
        ? openImage(photo.bytes, { limitInputPixels: rules.maxPixels })
        : openImage(decoded.rgba, { raw: { width: decoded.width, height: decoded.height, channels: 4 } });
    return {
      size: { width: size.width, height: size.height },
      pixels: () => open().autoOrient().flatten({ background: '#ffffff' }).toColourspace('srgb'),
      run: (work) =>
        asInputError(() =>
          work().catch((error: unknown) => {
            throw damaged(photo.name, photo.format, error);
          }),
        ),
    };
  });
}

async function asInputError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RejectedPhoto)) throw error;
    const { code, message, found, needed } = error.rejection;
    throw new VehiError('input', code, message, { details: { found, needed } });
  }
}
