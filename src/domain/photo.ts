import type { Size } from './geometry.ts';

/** Photo formats of the contract, judged by content. */
const PHOTO_FORMATS = ['jpeg', 'png', 'heic'] as const;
/** The formats as listed in messages. */
export const PHOTO_FORMAT_WORDS = 'JPEG, PNG or HEIC';
export type PhotoFormat = (typeof PHOTO_FORMATS)[number];

/** 8-bit RGB pixels, row by row, three bytes each, no padding. */
export interface RgbImage {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** 8-bit grey pixels, row by row, no padding. */
export interface GreyImage {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Returns the grey levels of a picture (ITU-R BT.601 luma). */
export function toGrey({ data, width, height }: RgbImage): GreyImage {
  const grey = new Uint8Array(width * height);
  for (let at = 0; at < grey.length; at++)
    grey[at] =
      0.299 * (data[3 * at] as number) +
      0.587 * (data[3 * at + 1] as number) +
      0.114 * (data[3 * at + 2] as number);
  return { data: grey, width, height };
}

/** What is known of a readable photo. `size` is that of the upright photo (EXIF orientation applied). */
export interface PhotoFacts {
  readonly format: PhotoFormat;
  readonly bytes: number;
  readonly sha256: string;
  readonly size: Size;
}

/** Why a photo cannot be used: what was found and what is needed. */
export interface PhotoRejection {
  readonly code: string;
  readonly message: string;
  readonly found: string;
  readonly needed: string;
}

/** A photo-level observation with the figure it was judged by and the limit it was held against. */
export interface PhotoIssue {
  readonly code: string;
  /** In the unit of `limit`, which its code gives. */
  readonly value: number;
  readonly limit: number;
  readonly message: string;
  /** The message without the figures of this photo; absent where it has none. */
  readonly summary?: string;
}

/** A decoded photo. `raster` is the upright photo, scaled down to `computeRasterLongSide` where it is larger. */
export interface ReadPhoto {
  readonly facts: PhotoFacts;
  readonly raster: RgbImage;
  readonly issues: readonly PhotoIssue[];
  /** 64-bit perceptual hash for near duplicates. */
  readonly perceptualHash: bigint;
}

/**
 * Most that the long side of the raster that analysis works on has, pixels: enough for tiles, little enough for flat
 * memory.
 */
export const RASTER_LONG_SIDE = 1664;
/** Least that a photo of more is brought down to: the long side of the smallest photo that is accepted. */
const LEAST_RASTER_LONG_SIDE = 1280;
/** From three times smaller on, a JPEG is scaled while it is decoded, in two thirds of the time. */
const CHEAP_REDUCTION = 3.01;

/**
 * Returns the long side of the raster of a photo, pixels: `RASTER_LONG_SIDE`, or a third of a photo of 12 to 20
 * megapixels, which is between 1280 and that. The detector looks at the photo at 512 pixels and at halves of the
 * vehicle at as many, so both show it more than it takes, unless the vehicle is small in the photo.
 */
export function computeRasterLongSide({ width, height }: Size): number {
  const third = Math.floor(Math.max(width, height) / CHEAP_REDUCTION);
  return third < LEAST_RASTER_LONG_SIDE ? RASTER_LONG_SIDE : Math.min(RASTER_LONG_SIDE, third);
}

/** Long side of the picture that a photo is reviewed by, pixels: a photo no longer than this is as sharp in it. */
export const VIEW_SIDE = 2048;
/** Long side of the small one. */
export const THUMBNAIL_SIDE = 320;

/** Returns in how many bits two perceptual hashes differ; 0 to 64. */
export function countDifferingBits(a: bigint, b: bigint): number {
  let bits = 0;
  for (let rest = a ^ b; rest > 0n; rest &= rest - 1n) bits++;
  return bits;
}
