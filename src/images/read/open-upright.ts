import type { Sharp } from 'sharp';
import type { Size } from '../../domain/geometry.ts';
import { VehiError } from '../../lib/errors.ts';
import { openImage } from '../sharp.ts';
import { checkPhoto, decodeHeic, rejectDamaged } from './checked-photo.ts';
import type { HeicDecoder } from './heic-decoder.ts';
import type { PhotoRules } from './photo-rules.ts';
import { RejectedPhoto } from './rejection.ts';
import type { ByteSource } from './source-bytes.ts';

/** A photo at full resolution. */
export interface UprightPhoto {
  readonly size: Size;
  /** Creates a new pipeline over the photo: upright, opaque, sRGB. */
  pixels(): Promise<Sharp>;
  /** Runs a pipeline; damaged data is reported as by the reader. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Opens a photo for creating pictures; HEIC is decoded once, here.
 * @param keepPixels decodes other formats once too, keeping three bytes per pixel until the photo is dropped; otherwise
 * each pipeline decodes separately, at its own scale
 * @throws VehiError input with the reader's codes
 */
export async function openUpright(
  source: ByteSource,
  rules: PhotoRules,
  heic: HeicDecoder,
  keepPixels = false,
): Promise<UprightPhoto> {
  return toInputError(async () => {
    const photo = await checkPhoto(source, rules);
    const decoded = photo.format === 'heic' ? await decodeHeic(photo, rules, heic) : undefined;
    const size = decoded ?? photo.claimed;
    const open = (): Sharp =>
      decoded === undefined
        ? openImage(photo.picture, { limitInputPixels: rules.maxPixels })
        : openImage(decoded.rgba, { raw: { width: decoded.width, height: decoded.height, channels: 4 } });
    const upright = () => open().autoOrient().flatten({ background: '#ffffff' }).toColourspace('srgb');
    let kept: Promise<() => Sharp> | undefined;
    return {
      size: { width: size.width, height: size.height },
      pixels: async () => {
        if (!keepPixels || decoded !== undefined) return upright();
        kept ??= decodeOnce(upright());
        return (await kept)();
      },
      run: (work) =>
        toInputError(() =>
          work().catch((error: unknown) => {
            throw rejectDamaged(photo.name, photo.format, error);
          }),
        ),
    };
  });
}

/** Decodes a pipeline and returns a factory of pipelines over its pixels. */
async function decodeOnce(image: Sharp): Promise<() => Sharp> {
  const { data, info } = await image
    .removeAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return () => openImage(data, { raw: { width: info.width, height: info.height, channels: 3 } });
}

async function toInputError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RejectedPhoto)) throw error;
    const { code, message, found, needed } = error.rejection;
    throw new VehiError('input', code, message, { details: { found, needed } });
  }
}
