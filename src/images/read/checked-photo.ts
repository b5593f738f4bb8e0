import type { Size } from '../../domain/geometry.ts';
import type { PhotoFormat } from '../../domain/photo.ts';
import { isCutOff } from './cut-off.ts';
import { findExcess } from './excess.ts';
import { sniffFormat } from './format.ts';
import { describeMismatch, readHeader } from './header.ts';
import { toSrgb } from './heic-colours.ts';
import type { HeicDecoder } from './heic-decoder.ts';
import type { PhotoRules } from './photo-rules.ts';
import type { RgbaPixels } from './raster.ts';
import { makeRejection, RejectedPhoto } from './rejection.ts';
import { type ByteSource, loadBytes, nameSource } from './source-bytes.ts';

/** A photo whose bytes, format and claimed size keep the rules; no pixel has been decoded. */
export interface CheckedPhoto {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly format: PhotoFormat;
  /** Upright size that the header claims. */
  readonly claimed: Size;
  /** ICC profile of its pixels, where it has one. */
  readonly profile: Uint8Array | undefined;
}

const NEEDED_FORMATS = 'JPEG, PNG or HEIC';
const WHOLE_PHOTO = 'an undamaged photo (export or copy it again)';

/**
 * Loads a photo and checks it from cheap to dear: size of the file, first bytes, the size that the header claims, what
 * would make it slow to decode, whether its end is there.
 * @throws RejectedPhoto
 */
export async function checkPhoto(source: ByteSource, rules: PhotoRules): Promise<CheckedPhoto> {
  const name = nameSource(source);
  const bytes = await loadBytes(source, rules);
  const format = judgeFormat(name, bytes);
  const header = await readHeader(bytes).catch((error: unknown) => {
    throw rejectDamaged(name, format, error);
  });
  const other = describeMismatch(header, format);
  if (other !== undefined) {
    throw new RejectedPhoto(makeRejection(name, 'UNSUPPORTED_IMAGE_FORMAT', other, NEEDED_FORMATS));
  }
  checkSize(name, header.size, rules);
  const excess = findExcess(bytes, format, rules);
  if (excess) throw new RejectedPhoto(makeRejection(name, 'IMAGE_UNREADABLE', excess.found, excess.needed));
  if (isCutOff(bytes, format)) throw rejectDamaged(name, format, undefined);
  return { name, bytes, format, claimed: header.size, profile: header.profile };
}

/**
 * Decodes the primary picture of a checked HEIC photo, as sRGB.
 * @throws RejectedPhoto when libheif cannot, or the picture breaks the rules that its header kept
 */
export async function decodeHeic(
  photo: CheckedPhoto,
  rules: PhotoRules,
  heic: HeicDecoder,
): Promise<RgbaPixels> {
  const answer = await heic.decode({ bytes: photo.bytes, maxPixels: rules.maxPixels });
  if (!answer.ok) {
    const found = `a HEIC photo with ${answer.reason}`;
    throw new RejectedPhoto(makeRejection(photo.name, 'IMAGE_UNREADABLE', found, WHOLE_PHOTO));
  }
  checkSize(photo.name, answer, rules);
  return photo.profile ? toSrgb(answer, photo.profile) : answer;
}

/**
 * Returns the rejection of a photo whose decoding failed. The message of libvips is left out: libvips keeps it in one
 * buffer for the whole process, so that with several photos under way it may be another photo's, or gone.
 */
export function rejectDamaged(name: string, format: PhotoFormat, error: unknown): RejectedPhoto {
  if (error instanceof RejectedPhoto) return error;
  const file = format.toUpperCase();
  const found = isTimeout(error)
    ? `a ${file} file that takes too long to decode`
    : `a damaged or cut-off ${file} file`;
  return new RejectedPhoto(makeRejection(name, 'IMAGE_UNREADABLE', found, WHOLE_PHOTO));
}

/**
 * Returns true where sharp stopped because of its time limit; missed where another photo's end cleared the buffer just
 * then.
 */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && /^timeout: /m.test(error.message);
}

function judgeFormat(name: string, bytes: Uint8Array): PhotoFormat {
  const sniffed = sniffFormat(bytes);
  if (sniffed.kind === 'photo') return sniffed.format;
  const found = sniffed.kind === 'other' ? sniffed.name : 'a file that is not an image';
  throw new RejectedPhoto(makeRejection(name, 'UNSUPPORTED_IMAGE_FORMAT', found, NEEDED_FORMATS));
}

function checkSize(name: string, { width, height }: Size, rules: PhotoRules): void {
  const found = `${width}x${height}`;
  if (width * height > rules.maxPixels || Math.max(width, height) > rules.maxSide) {
    const needed = `at most ${rules.maxPixels / 1e6} million pixels and ${rules.maxSide} pixels a side`;
    throw new RejectedPhoto(makeRejection(name, 'IMAGE_TOO_LARGE', `${found} pixels`, needed));
  }
  if (Math.max(width, height) < rules.minLongSide || Math.min(width, height) < rules.minShortSide) {
    const needed = `${rules.minLongSide}x${rules.minShortSide}`;
    throw new RejectedPhoto(makeRejection(name, 'IMAGE_QUALITY_TOO_LOW', found, needed));
  }
}
