import type { Sharp } from 'sharp';
import { type Box, clampToPixels, type Size } from '../domain/geometry.ts';
import type { RgbImage } from '../domain/photo.ts';
import type { UprightPhoto } from './open-upright.ts';
import { redacted } from './redact.ts';
import { openImage } from './sharp.ts';

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

export interface PictureSet {
  readonly photo: SizedJpeg;
  readonly crops: readonly SizedJpeg[];
}

/** Fine enough to see a scratch in a report, a third of the bytes of the studio's marked photos. */
const QUALITY = 80;

/** All pictures a report needs of one photo, decoded once. Results are sRGB without EXIF or GPS. */
export async function pictureSet(photo: UprightPhoto, wanted: WantedSet): Promise<PictureSet> {
  const { crops, hidden = [], maxSide } = wanted;
  // With nothing to cut or hide, a JPEG is scaled while it is decoded, which is several times faster.
  if (crops.length + hidden.length === 0)
    return { photo: await scaled(photo.pixels(), photo.size, maxSide), crops: [] };
  const picture = await redacted(await rawPixels(photo), hidden);
  const open = () =>
    openImage(picture.data, { raw: { width: picture.width, height: picture.height, channels: 3 } });
  const cuts = crops.map(({ region, maxSide: most }) => {
    const { x: left, y: top, width, height } = clampToPixels(region, photo.size);
    return scaled(open().extract({ left, top, width, height }), { width, height }, most);
  });
  return { photo: await scaled(open(), photo.size, maxSide), crops: await Promise.all(cuts) };
}

/** The whole photo as pixels: each cut-out of a JPEG would decode it anew. */
export async function rawPixels(photo: UprightPhoto): Promise<RgbImage> {
  const { data, info } = await photo.pixels().removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
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
