import sharp, { type Sharp, type SharpInput, type SharpOptions } from 'sharp';
import type { PhotoFormat, RgbImage } from '../domain/photo.ts';

// libvips' settings are per process. Each file is read once, so a cache only wastes memory; several pictures are
// decoded in parallel, so one thread per picture is fastest.
sharp.cache(false);
sharp.concurrency(1);

/** Opens an image with common settings; damaged data is an error instead of gray stripes. */
export const openImage = (input: SharpInput, options: SharpOptions = {}): Sharp =>
  sharp(input, { failOn: 'error', sequentialRead: true, ...options });

/** Upright HEIC pixels as returned by libheif, 8-bit RGBA. */
export interface RgbaPixels {
  readonly rgba: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Opens decoded pixels. */
export function openPixels(picture: RgbImage | RgbaPixels): Sharp {
  const { width, height } = picture;
  const [pixels, channels] = 'rgba' in picture ? ([picture.rgba, 4] as const) : ([picture.data, 3] as const);
  return openImage(pixels, { raw: { width, height, channels } });
}

/** Reads the output of a pipeline at 8 bits per channel: three channels, or one after a conversion to gray. */
export async function readPixels(image: Sharp): Promise<RgbImage> {
  const { data, info } = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return { data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength), width, height };
}

/** Encodes and decodes a picture in memory. @throws Error of the image library if it does not work on this machine. */
export async function tryFormat(format: Exclude<PhotoFormat, 'heic'>): Promise<void> {
  const raw = { width: 16, height: 16, channels: 3 } as const;
  const encoded = await openImage(new Uint8Array(16 * 16 * 3), { raw })
    .toFormat(format)
    .toBuffer();
  await openImage(encoded).raw().toBuffer();
}
