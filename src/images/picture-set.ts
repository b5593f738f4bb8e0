import type { Sharp } from 'sharp';
import { type Box, clampToPixels, type Size } from '../domain/geometry.ts';
import type { HeicDecoder } from './heic-decoder.ts';
import { openUpright } from './open-upright.ts';
import type { PhotoRules } from './photo-rules.ts';
import { createPhotoStudio } from './photo-studio.ts';
import { openImage } from './sharp.ts';
import type { ByteSource } from './source-bytes.ts';

/** A JPEG with its size, pixels. */
export interface SizedJpeg extends Size {
  readonly jpeg: Uint8Array;
}

/** The whole photo and cut-outs of it, each no larger than asked; regions in pixels of the upright photo. */
export interface WantedSet {
  readonly maxSide: number;
  readonly crops: readonly { readonly region: Box; readonly maxSide: number }[];
  /** Regions to make unrecognisable in everything that comes out. */
  readonly hidden?: readonly Box[];
}

/** Fine enough to see a scratch in a report, a third of the bytes of the studio's marked photos. */
const QUALITY = 80;

/**
 * All pictures a report needs of one photo, decoded once. Results are sRGB without EXIF or GPS.
 * @throws VehiError input, when the photo breaks a rule of the reader or is damaged
 */
export async function pictureSet(
  source: ByteSource,
  wanted: WantedSet,
  tools: { readonly rules: PhotoRules; readonly heic: HeicDecoder },
): Promise<{ photo: SizedJpeg; crops: SizedJpeg[] }> {
  const photo = await openUpright(source, tools.rules, tools.heic);
  return photo.run(async () => {
    if (wanted.hidden && wanted.hidden.length > 0) return hiddenSet(source, wanted, photo.size);
    if (wanted.crops.length === 0)
      return { photo: await scaled(photo.pixels(), photo.size, wanted.maxSide), crops: [] };
    return cutSet(photo.pixels(), photo.size, wanted);
  });
}

async function hiddenSet(source: ByteSource, wanted: WantedSet, size: Size) {
  const studio = createPhotoStudio();
  try {
    const blurred = await (await studio.open(source)).blurRegions(wanted.hidden ?? []);
    return await cutSet(openImage(blurred), size, wanted);
  } finally {
    await studio.close();
  }
}

/** Decodes to raw pixels once and cuts everything from those: each cut-out of a JPEG would decode it anew. */
async function cutSet(pixels: Sharp, size: Size, wanted: WantedSet) {
  const { data, info } = await pixels.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const raw = () =>
    openImage(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
  const crops = wanted.crops.map(({ region, maxSide }) => {
    const { x: left, y: top, width, height } = clampToPixels(region, size);
    return scaled(raw().extract({ left, top, width, height }), { width, height }, maxSide);
  });
  return { photo: await scaled(raw(), size, wanted.maxSide), crops: await Promise.all(crops) };
}

async function scaled(pixels: Sharp, size: Size, maxSide: number): Promise<SizedJpeg> {
  const scale = Math.min(1, maxSide / Math.max(size.width, size.height));
  const width = Math.max(1, Math.round(size.width * scale));
  const height = Math.max(1, Math.round(size.height * scale));
  const jpeg = await pixels
    .resize({ width, height, fit: 'fill', kernel: 'mitchell' })
    .jpeg({ quality: QUALITY })
    .toBuffer();
  return { jpeg, width, height };
}
