import type { Size } from '../../domain/geometry.ts';
import { PHOTO_FORMAT_WORDS, type PhotoFormat } from '../../domain/photo.ts';
import type { PhotoSource } from '../../engine/request.ts';
import { openImage } from '../sharp.ts';
import { sniffFormat } from './format.ts';
import { countItems, countTiles, findComposition, findForeignContent, isHeifTruncated } from './heif.ts';
import { countScans, isJpegTruncated, measureZeroedScan } from './jpeg.ts';
import type { PhotoRules } from './photo-rules.ts';
import { dropPngTexts, isPngTruncated } from './png.ts';
import { makeDamagedError, makeIncompleteError, PhotoRejectedError } from './rejection.ts';
import { loadBytes, nameSource } from './source-bytes.ts';

/** A photo whose bytes, format and header satisfy the rules; not decoded yet. */
export type CheckedPhoto = {
  readonly name: string;
  readonly bytes: Buffer;
  /** The file as passed to decoders: a PNG lacks its text chunks, which could take excessive memory. */
  readonly picture: Buffer;
} & (
  | { readonly format: 'heic' }
  /** The upright size stated in the header; for a HEIC photo, the decoded size decides. */
  | { readonly format: 'jpeg' | 'png'; readonly size: Size }
);

/** Returns true if a file of the format is truncated; decodes no pixels. */
export const isTruncated = { jpeg: isJpegTruncated, png: isPngTruncated, heic: isHeifTruncated };

/** Maximum number of HEIC items for libvips to read a header: the limit of its libheif. */
const MAX_HEADER_ITEMS = 256;

/**
 * Loads a photo and validates it, cheapest checks first: file size, signature, size in the header, decoding effort,
 * truncation.
 * @throws PhotoRejectedError
 */
export async function loadCheckedPhoto(source: PhotoSource, rules: PhotoRules): Promise<CheckedPhoto> {
  const name = nameSource(source);
  const bytes = await loadBytes(source, rules);
  const format = detectFormat(name, bytes);
  const picture = format === 'png' ? dropPngTexts(bytes) : bytes;
  const size = await readClaimedSize(name, picture, format, rules);
  refuseCostlyStructure(name, bytes, format, rules);
  const isCut = isTruncated[format](bytes);
  const missing =
    format !== 'jpeg' ? 0 : measureZeroedScan(bytes) || (isCut ? await measureEmptyEnd(bytes, rules) : 0);
  if (missing > 0) throw makeIncompleteError({ name, format }, missing);
  if (isCut) throw makeDamagedError(name, format, undefined);
  if (format === 'heic') return { name, bytes, picture, format };
  // Only the size of a HEIC photo can be unknown.
  return { name, bytes, picture, format, size: size as Size };
}

/** Side of the gray thumbnail whose empty end is measured, pixels. */
const MEASURED_ROWS = 256;

/** Returns the share of a JPEG's rows at its lower end, 0 to 1, that have one color each, as missing data has. */
export async function measureEmptyEnd(jpeg: Uint8Array, rules: PhotoRules): Promise<number> {
  const pixels = await openImage(jpeg, { failOn: 'none', limitInputPixels: rules.maxPixels })
    .timeout({ seconds: rules.decodeTimeoutSeconds })
    .resize(MEASURED_ROWS, MEASURED_ROWS, { fit: 'fill' })
    .greyscale()
    .raw()
    .toBuffer()
    .catch(() => Buffer.alloc(0));
  const rows = Array.from({ length: pixels.length / MEASURED_ROWS }, (_, row) =>
    pixels.subarray(row * MEASURED_ROWS, (row + 1) * MEASURED_ROWS),
  );
  const lastWithDetail = rows.findLastIndex((row) => row.some((value) => value !== row[0]));
  return rows.length === 0 ? 0 : 1 - (lastWithDetail + 1) / rows.length;
}

/**
 * Rejects photos that would take a decoder far longer than their size suggests: a JPEG with many scans, or a HEIC photo
 * with more tiles than its pixels need, with overlaid pictures or with two sets of metadata. Decodes no pixels.
 * @throws PhotoRejectedError
 */
export function refuseCostlyStructure(
  name: string,
  bytes: Buffer,
  format: PhotoFormat,
  rules: PhotoRules,
): void {
  const refuse = (found: string, needed: string) => {
    throw new PhotoRejectedError(name, 'IMAGE_UNREADABLE', found, needed);
  };
  const limit = (found: string, count: number, unit: string, most: number) =>
    count > most && refuse(`${found} ${count} ${unit}`, `at most ${most} ${unit}`);
  if (format === 'jpeg') limit('a JPEG file with', countScans(bytes), 'scans', rules.maxScans);
  if (format !== 'heic') return;
  const composition = findComposition(bytes);
  if (composition !== undefined) refuse(`a HEIC photo of ${composition}`, 'a single picture');
  limit('a HEIC photo of', countItems(bytes), 'parts', rules.maxItems);
  limit('a HEIC photo of', countTiles(bytes), 'tiles', rules.maxTiles);
}

/**
 * Reads the upright size from the header, which must match the signature's format and the size limits; undefined for a
 * HEIC file with more items than libvips reads, which libheif-js decodes.
 */
async function readClaimedSize(
  name: string,
  picture: Buffer,
  format: PhotoFormat,
  rules: PhotoRules,
): Promise<Size | undefined> {
  const foreign = format === 'heic' ? findForeignContent(picture) : undefined;
  if (foreign !== undefined) {
    const found = `a HEIF file with ${foreign}`;
    throw new PhotoRejectedError(name, 'UNSUPPORTED_IMAGE_FORMAT', found, PHOTO_FORMAT_WORDS);
  }
  // Without limits, so that a rejection can state the size.
  const header = await openImage(picture, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      if (format === 'heic' && countItems(picture) > MAX_HEADER_ITEMS) return undefined;
      throw makeDamagedError(name, format, error);
    });
  if (header === undefined) return undefined;
  if (header.format !== (format === 'heic' ? 'heif' : format)) {
    const found = `a file that libvips reads as ${header.format}`;
    throw new PhotoRejectedError(name, 'UNSUPPORTED_IMAGE_FORMAT', found, PHOTO_FORMAT_WORDS);
  }
  checkSize(name, header.autoOrient, rules);
  return header.autoOrient;
}

function detectFormat(name: string, bytes: Uint8Array): PhotoFormat {
  const sniffed = sniffFormat(bytes);
  if (sniffed.kind === 'photo') return sniffed.format;
  const found = sniffed.kind === 'other' ? sniffed.name : 'a file that is not an image';
  throw new PhotoRejectedError(name, 'UNSUPPORTED_IMAGE_FORMAT', found, PHOTO_FORMAT_WORDS);
}

/** @throws PhotoRejectedError if a picture has too many or too few pixels */
export function checkSize(name: string, { width, height }: Size, rules: PhotoRules): void {
  const found = `${width}x${height}`;
  if (width * height > rules.maxPixels || Math.max(width, height) > rules.maxSide) {
    const needed = `at most ${rules.maxPixels / 1e6} million pixels and ${rules.maxSide} pixels a side`;
    throw new PhotoRejectedError(name, 'IMAGE_TOO_LARGE', `${found} pixels`, needed);
  }
  if (Math.max(width, height) < rules.minLongSide || Math.min(width, height) < rules.minShortSide) {
    const needed = `${rules.minLongSide}x${rules.minShortSide}`;
    throw new PhotoRejectedError(name, 'IMAGE_QUALITY_TOO_LOW', found, needed);
  }
}
