import { crc32, deflateSync } from 'node:zlib';
import { openImage, openPixels, type RgbaPixels } from '../sharp.ts';
import { type CheckedPhoto, checkSize } from './checked-photo.ts';
import type { HeicDecoder } from './heic-decoder.ts';
import type { PhotoRules } from './photo-rules.ts';
import { makeIncompleteError, PhotoRejectedError, WHOLE_PHOTO } from './rejection.ts';

/** Maximum share of a HEIC picture that may look undecoded: pure green surfaces of a few pixels. */
const MAX_MISSING_SHARE = 0.001;

/**
 * Decodes the primary picture of a checked HEIC photo to sRGB.
 * @throws PhotoRejectedError if libheif fails, or the decoded picture violates the size limits
 */
export async function decodeHeic(
  photo: CheckedPhoto,
  rules: PhotoRules,
  heic: HeicDecoder,
): Promise<RgbaPixels> {
  const { maxPixels, maxItems } = rules;
  const decoded = await heic.decode({ bytes: photo.bytes, maxPixels, maxItems });
  if (!decoded.ok) {
    const found = `a HEIC photo with ${decoded.reason}`;
    throw new PhotoRejectedError(photo.name, 'IMAGE_UNREADABLE', found, WHOLE_PHOTO);
  }
  checkSize(photo.name, decoded, rules);
  if (decoded.missingShare > MAX_MISSING_SHARE) throw makeIncompleteError(photo, decoded.missingShare);
  return decoded.profile ? toSrgb(decoded, decoded.profile) : decoded;
}

/** Length of a PNG's signature and header chunk, after which a color profile is inserted. */
const HEADER_LENGTH = 33;

/**
 * Converts HEIC pixels to sRGB. libheif returns stored values, often Display P3 on phones. libvips accepts no profile
 * with raw pixels, so they are passed as a PNG with a profile; it leaves pixels with an unusable one unchanged.
 */
export async function toSrgb(pixels: RgbaPixels, profile: Uint8Array): Promise<RgbaPixels> {
  const plain = await openPixels(pixels).png({ compressionLevel: 0 }).toBuffer();
  const tagged = Buffer.concat([
    plain.subarray(0, HEADER_LENGTH),
    makeProfileChunk(profile),
    plain.subarray(HEADER_LENGTH),
  ]);
  const rgba = await openImage(tagged, { limitInputPixels: false })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer();
  return { ...pixels, rgba };
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
