import type { Size } from './geometry.ts';

/** Photo formats of the contract, detected from content. */
export const PHOTO_FORMATS = ['jpeg', 'png', 'heic'] as const;
/** Format names for messages. */
export const PHOTO_FORMAT_WORDS = 'JPEG, PNG or HEIC';
export type PhotoFormat = (typeof PHOTO_FORMATS)[number];

/** Photo angles of the contract (`images[].angle`). */
export const ANGLES = [
  'front',
  'rear',
  'left_side',
  'right_side',
  'front_left',
  'front_right',
  'rear_left',
  'rear_right',
  'top',
  'interior',
  'dashboard',
  'engine',
  'trunk',
  'undercarriage',
] as const;
export type Angle = (typeof ANGLES)[number];

/** Photo types of the contract (`images[].type`). */
export const PHOTO_TYPES = ['exterior', 'interior', 'mechanical'] as const;
export type PhotoType = (typeof PHOTO_TYPES)[number];

const PHOTO_TYPE_BY_ANGLE: Partial<Record<Angle, PhotoType>> = {
  interior: 'interior',
  dashboard: 'interior',
  trunk: 'interior',
  engine: 'mechanical',
  undercarriage: 'mechanical',
};

/** Returns the photo type of an angle; exterior unless the angle implies another. */
export function toPhotoType(angle: Angle | null): PhotoType {
  return (angle && PHOTO_TYPE_BY_ANGLE[angle]) ?? 'exterior';
}

/** 8-bit RGB pixels, row-major, three bytes each, no padding. */
export interface RgbImage extends Size {
  readonly data: Uint8Array;
}

/** Pixels to analyze, with the size of the upright original, which may be larger. */
export interface SizedRaster {
  readonly raster: RgbImage;
  readonly size: Size;
}

/** 8-bit gray pixels, row-major, no padding. */
export interface GrayImage extends Size {
  readonly data: Uint8Array;
}

/** Converts a picture to gray levels (ITU-R BT.601 luma). */
export function toGray({ data, width, height }: RgbImage): GrayImage {
  const gray = new Uint8Array(width * height);
  for (let i = 0; i < gray.length; i++)
    gray[i] =
      0.299 * (data[3 * i] as number) +
      0.587 * (data[3 * i + 1] as number) +
      0.114 * (data[3 * i + 2] as number);
  return { data: gray, width, height };
}

/** Metadata of a readable photo. `size` is that of the upright photo (EXIF orientation applied). */
export interface PhotoFacts {
  readonly format: PhotoFormat;
  readonly bytes: number;
  readonly sha256: string;
  readonly size: Size;
  /** From EXIF data, else as printed into the photo; ISO 8601, local time if no zone is given. Absent if unknown. */
  readonly takenAt?: string | undefined;
}

/** Reason for rejecting a photo: what was found and what is needed. */
export interface PhotoRejection {
  readonly code: string;
  readonly message: string;
  readonly found: string;
  readonly needed: string;
}

/** A quality issue of a photo, with the measured value and its limit. */
export interface PhotoIssue {
  readonly code: string;
  /** In the unit of `limit`, determined by the code. */
  readonly value: number;
  readonly limit: number;
  readonly message: string;
  /** Message without this photo's figures; absent if there are none. */
  readonly summary?: string;
}

/** Returns true for an issue of a photo in which nothing can be judged: it shows no vehicle, or is turned on its side. */
export const preventsJudgment = ({ code }: Pick<PhotoIssue, 'code'>) => /^(no_vehicle|turned)$/.test(code);

/** A decoded photo. `raster` is the upright photo, downscaled to `RASTER_LONG_SIDE` if it is larger. */
export interface ReadPhoto {
  readonly facts: PhotoFacts;
  readonly raster: RgbImage;
  readonly issues: readonly PhotoIssue[];
  /** 64-bit perceptual hash for near duplicates. */
  readonly perceptualHash: bigint;
}

/**
 * Maximum long side of the analysis raster, pixels: enough for tiles, yet bounded in memory. The smallest close-up, 12
 * % of it, has 200 pixels for the classifier's 224, so more pixels would hardly add detail.
 */
export const RASTER_LONG_SIDE = 1664;
/** Long side of the review picture, pixels; photos up to this size keep their full resolution. */
export const REVIEW_SIDE = 2048;
/** Long side of a thumbnail, pixels. */
export const THUMBNAIL_SIDE = 320;

/** Returns the Hamming distance of two perceptual hashes; 0 to 64. */
export function countDifferingBits(a: bigint, b: bigint): number {
  let bits = 0;
  for (let remaining = a ^ b; remaining > 0n; remaining &= remaining - 1n) bits++;
  return bits;
}
