import { crc32, deflateSync } from 'node:zlib';
import type { Size } from '../../domain/geometry.ts';
import { PHOTO_FORMAT_WORDS, type PhotoFormat } from '../../domain/photo.ts';
import { findMissingPart } from '../../lib/missing-part.ts';
import { openImage } from '../sharp.ts';
import { countItems, findExcess, findForeignCodec } from './excess.ts';
import { sniffFormat } from './format.ts';
import type { HeicDecoder } from './heic-decoder.ts';
import { hasZeroedScan } from './jpeg-segments.ts';
import type { PhotoRules } from './photo-rules.ts';
import { dropPngTexts } from './png-texts.ts';
import type { RgbaPixels } from './raster.ts';
import { RejectedPhoto } from './rejection.ts';
import { type ByteSource, loadBytes, nameSource } from './source-bytes.ts';

/** Length of a PNG's signature and header chunk, after which a colour profile is inserted. */
const HEADER_LENGTH = 33;

/**
 * Converts HEIC pixels to sRGB. libheif returns stored values, often Display P3 on phones. libvips accepts no profile
 * with raw pixels, so they are passed as a PNG with a profile. Pixels with an unusable profile are unchanged.
 */
export async function toSrgb(pixels: RgbaPixels, profile: Uint8Array): Promise<RgbaPixels> {
  const { rgba, width, height } = pixels;
  try {
    const plain = await openImage(rgba, { raw: { width, height, channels: 4 } })
      .png({ compressionLevel: 0 })
      .toBuffer();
    const tagged = Buffer.concat([
      plain.subarray(0, HEADER_LENGTH),
      makeProfileChunk(profile),
      plain.subarray(HEADER_LENGTH),
    ]);
    const converted = await openImage(tagged, { limitInputPixels: false })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer();
    return { rgba: converted, width, height };
  } catch {
    return pixels;
  }
}

/** Creates a PNG's `iCCP` chunk (PNG specification, 11.3.2.3). */
function makeProfileChunk(profile: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from('iCCPphoto\0\0', 'latin1'), deflateSync(profile)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length - 4);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/**
 * Returns true if the file is truncated: a JPEG without its end marker (ITU-T T.81, B.1.1.3), a PNG with an incomplete
 * last chunk (PNG 3rd edition, 5.3), or a HEIC photo whose media data box exceeds the file (ISO/IEC 14496-12, 4.2).
 * Decodes no pixels and ignores trailing data.
 */
export function isTruncated(bytes: Uint8Array, format: PhotoFormat): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (format === 'jpeg') return isJpegTruncated(file);
  return format === 'png' ? isPngTruncated(file) : isHeicTruncated(file);
}

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);

/** Searches after the first scan marker, because previews in earlier segments have their own end markers. */
function isJpegTruncated(file: Buffer): boolean {
  let at = 2;
  while (at + 4 <= file.length && file[at] === 0xff) {
    const marker = file[at + 1];
    if (marker === START_OF_SCAN) return !file.includes(END_OF_IMAGE, at);
    // A marker may be preceded by fill bytes.
    at += marker === 0xff ? 1 : 2 + file.readUInt16BE(at + 2);
  }
  // Invalid segment structures are left to the decoder.
  return at >= file.length;
}

function isPngTruncated(file: Buffer): boolean {
  for (let at = 8; ; ) {
    if (at + 12 > file.length) return true;
    if (file.toString('latin1', at + 4, at + 8) === 'IEND') return false;
    at += 12 + file.readUInt32BE(at);
  }
}

function isHeicTruncated(file: Buffer): boolean {
  for (let at = 0; at + 8 <= file.length; ) {
    const short = file.readUInt32BE(at);
    // 1: the length is in the following 8 bytes; 0: the box extends to the end.
    if (short === 0 || (short === 1 && at + 16 > file.length)) return short === 1;
    const length = short === 1 ? Number(file.readBigUInt64BE(at + 8)) : short;
    if (length < 8) return false;
    if (file.toString('latin1', at + 4, at + 8) === 'mdat') return at + length > file.length;
    at += length;
  }
  return false;
}

/** A photo whose bytes, format and header satisfy the rules; not decoded yet. */
export interface CheckedPhoto {
  readonly name: string;
  /** The file as it is. */
  readonly bytes: Uint8Array;
  /** The file as decoders get it: a PNG without its texts, which take memory out of proportion. */
  readonly picture: Uint8Array;
  readonly format: PhotoFormat;
  /** Upright size stated in the header; of a HEIC photo, the decoded size decides. */
  readonly claimed: Size;
}

/** Largest number of HEIC items that libvips reads a header of: the limit of its libheif. */
const MAX_HEADER_ITEMS = 256;
/** Largest share of a HEIC picture that may look undecoded: pure green surfaces of a few pixels. */
const MAX_MISSING_SHARE = 0.001;
const WHOLE_PHOTO = 'an undamaged photo (export or copy it again)';

/**
 * Loads a photo and validates it, cheapest checks first: file size, signature, size in the header, decoding effort,
 * truncation.
 * @throws RejectedPhoto
 */
export async function checkPhoto(source: ByteSource, rules: PhotoRules): Promise<CheckedPhoto> {
  const name = nameSource(source);
  const bytes = await loadBytes(source, rules);
  const format = judgeFormat(name, bytes);
  const picture = format === 'png' ? dropPngTexts(bytes) : bytes;
  const claimed = await readClaimedSize(name, picture, format, rules);
  const excess = findExcess(bytes, format, rules);
  if (excess) throw new RejectedPhoto(name, 'IMAGE_UNREADABLE', excess.found, excess.needed);
  if (isTruncated(bytes, format) || (format === 'jpeg' && hasZeroedScan(bytes)))
    throw rejectDamaged(name, format, undefined);
  return { name, bytes, picture, format, claimed };
}

/** Reads the upright size in the header, which must state the format of the signature and satisfy the size limits. */
async function readClaimedSize(
  name: string,
  picture: Uint8Array,
  format: PhotoFormat,
  rules: PhotoRules,
): Promise<Size> {
  const codec = format === 'heic' ? findForeignCodec(picture) : undefined;
  if (codec !== undefined) {
    throw new RejectedPhoto(
      name,
      'UNSUPPORTED_IMAGE_FORMAT',
      `a HEIF file with ${codec}`,
      PHOTO_FORMAT_WORDS,
    );
  }
  const header = await readHeader(picture).catch((error: unknown) => {
    // libvips refuses HEIC files of more than 256 items, which libheif-js decodes.
    if (format === 'heic' && countItems(picture) > MAX_HEADER_ITEMS) return undefined;
    throw rejectDamaged(name, format, error);
  });
  if (header === undefined) return { width: 0, height: 0 };
  if (header.format !== (format === 'heic' ? 'heif' : format)) {
    const found = `a file that libvips reads as ${header.format}`;
    throw new RejectedPhoto(name, 'UNSUPPORTED_IMAGE_FORMAT', found, PHOTO_FORMAT_WORDS);
  }
  checkSize(name, header.size, rules);
  return header.size;
}

/**
 * Decodes the primary picture of a checked HEIC photo to sRGB.
 * @throws RejectedPhoto if libheif fails, or the decoded picture violates the size limits
 */
export async function decodeHeic(
  photo: CheckedPhoto,
  rules: PhotoRules,
  heic: HeicDecoder,
): Promise<RgbaPixels> {
  const { maxPixels, maxItems } = rules;
  const answer = await heic.decode({ bytes: photo.bytes, maxPixels, maxItems });
  if (!answer.ok) {
    const found = `a HEIC photo with ${answer.reason}`;
    throw new RejectedPhoto(photo.name, 'IMAGE_UNREADABLE', found, WHOLE_PHOTO);
  }
  checkSize(photo.name, answer, rules);
  if (answer.missingShare > MAX_MISSING_SHARE) throw rejectIncomplete(photo, answer.missingShare);
  return answer.profile ? toSrgb(answer, answer.profile) : answer;
}

/** Creates the rejection of a photo of which a share of the picture, 0 to 1, is missing. */
export function rejectIncomplete(
  { name, format }: Pick<CheckedPhoto, 'name' | 'format'>,
  share: number,
): RejectedPhoto {
  const percent = Math.max(1, Math.round(share * 100));
  const found = `a damaged ${format.toUpperCase()} file: about ${percent} % of its picture is missing`;
  return new RejectedPhoto(name, 'IMAGE_UNREADABLE', found, WHOLE_PHOTO);
}

/**
 * Creates the rejection of a photo that failed to decode. Omits the message of libvips, which comes from a buffer
 * shared by the process and may belong to another photo or be gone.
 * @throws VehiError engine if the decoder is not installed
 */
export function rejectDamaged(name: string, format: PhotoFormat, error: unknown): RejectedPhoto {
  if (error instanceof RejectedPhoto) return error;
  const missing = findMissingPart(error);
  if (missing) throw missing;
  const file = format.toUpperCase();
  const found = isTimeout(error)
    ? `a ${file} file that takes too long to decode`
    : `a damaged or cut-off ${file} file`;
  return new RejectedPhoto(name, 'IMAGE_UNREADABLE', found, WHOLE_PHOTO);
}

/** Returns true if sharp hit its time limit; false if another photo's completion cleared the shared message buffer. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && /^timeout: /m.test(error.message);
}

function judgeFormat(name: string, bytes: Uint8Array): PhotoFormat {
  const sniffed = sniffFormat(bytes);
  if (sniffed.kind === 'photo') return sniffed.format;
  const found = sniffed.kind === 'other' ? sniffed.name : 'a file that is not an image';
  throw new RejectedPhoto(name, 'UNSUPPORTED_IMAGE_FORMAT', found, PHOTO_FORMAT_WORDS);
}

function checkSize(name: string, { width, height }: Size, rules: PhotoRules): void {
  const found = `${width}x${height}`;
  if (width * height > rules.maxPixels || Math.max(width, height) > rules.maxSide) {
    const needed = `at most ${rules.maxPixels / 1e6} million pixels and ${rules.maxSide} pixels a side`;
    throw new RejectedPhoto(name, 'IMAGE_TOO_LARGE', `${found} pixels`, needed);
  }
  if (Math.max(width, height) < rules.minLongSide || Math.min(width, height) < rules.minShortSide) {
    const needed = `${rules.minLongSide}x${rules.minShortSide}`;
    throw new RejectedPhoto(name, 'IMAGE_QUALITY_TOO_LOW', found, needed);
  }
}

/**
 * Reads format and upright size from the header only, without limits, so a rejection can state the size.
 * @throws Error of libvips if the header is damaged
 */
async function readHeader(bytes: Uint8Array): Promise<{ format: string; size: Size }> {
  const meta = await openImage(bytes, { limitInputPixels: false }).metadata();
  return { format: meta.format, size: meta.autoOrient };
}
