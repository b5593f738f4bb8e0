import type { Sharp } from 'sharp';
import type { RgbImage } from '../../domain/photo.ts';
import type { PhotoSource } from '../../engine/request.ts';
import { VehiError } from '../../lib/errors.ts';
import { openImage, openPixels, readPixels } from '../sharp.ts';
import { loadCheckedPhoto } from './checked-photo.ts';
import type { HeicDecoder } from './heic-decoder.ts';
import { decodeHeic } from './heic-photo.ts';
import type { PhotoRules } from './photo-rules.ts';
import { makeDamagedError, PhotoRejectedError } from './rejection.ts';

/**
 * Opens a photo for creating pictures; HEIC is decoded once, here.
 * @param keepPixels decodes other formats once too, keeping three bytes per pixel until the photo is dropped; otherwise
 * each pipeline decodes separately, at its own scale
 * @throws VehiError input with the reader's codes
 */
export async function openUpright(
  source: PhotoSource,
  rules: PhotoRules,
  heic: HeicDecoder,
  keepPixels = false,
) {
  const photo = await toInputError(() => loadCheckedPhoto(source, rules));
  /** Runs a decode or a pipeline; reports damaged data with the reader's codes. */
  const run = <T>(work: () => Promise<T>): Promise<T> =>
    toInputError(() =>
      work().catch((error: unknown) => {
        throw makeDamagedError(photo.name, photo.format, error);
      }),
    );
  const opened = photo.format === 'heic' ? await run(() => decodeHeic(photo, rules, heic)) : photo;
  const isDecoded = 'rgba' in opened;
  const { width, height } = isDecoded ? opened : opened.size;
  const open = (): Sharp =>
    isDecoded ? openPixels(opened) : openImage(opened.picture, { limitInputPixels: rules.maxPixels });
  const upright = () => open().autoOrient().flatten({ background: '#ffffff' }).toColourspace('srgb');
  let kept: Promise<RgbImage> | undefined;
  return {
    size: { width, height },
    /** Creates a new pipeline over the photo: upright, opaque, sRGB. */
    pixels: async (): Promise<Sharp> => {
      if (!keepPixels || isDecoded) return upright();
      kept ??= readPixels(upright().removeAlpha());
      return openPixels(await kept);
    },
    run,
  };
}

export type UprightPhoto = Awaited<ReturnType<typeof openUpright>>;

async function toInputError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PhotoRejectedError)) throw error;
    const { code, message, found, needed } = error.rejection;
    throw new VehiError('input', code, message, { details: { found, needed }, cause: error });
  }
}
