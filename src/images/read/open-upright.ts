import type { Sharp } from 'sharp';
import type { RgbImage } from '../../domain/photo.ts';
import type { PhotoSource } from '../../engine/request.ts';
import { openImage, openPixels, readPixels } from '../sharp.ts';
import { loadCheckedPhoto } from './checked-photo.ts';
import type { HeicDecoder } from './heic-decoder.ts';
import { decodeHeic } from './heic-photo.ts';
import type { PhotoRules } from './photo-rules.ts';
import { makeDamagedError } from './rejection.ts';

/**
 * Opens a photo for creating pictures; HEIC is decoded once, here.
 * @param keepPixels decodes other formats once too, keeping three bytes per pixel until the photo is dropped; otherwise
 * each pipeline decodes separately, at its own scale
 * @throws PhotoRejectedError
 */
export async function openUpright(
  source: PhotoSource,
  rules: PhotoRules,
  heic: HeicDecoder,
  keepPixels = false,
) {
  const photo = await loadCheckedPhoto(source, rules);
  /** Runs a decode or a pipeline; reports damaged data as the reader does. */
  const run = <T>(work: () => Promise<T>): Promise<T> =>
    work().catch((error: unknown) => {
      throw makeDamagedError(photo.name, photo.format, error);
    });
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
