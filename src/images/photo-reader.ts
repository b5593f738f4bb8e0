import { createHash } from 'node:crypto';
import type { Size } from '../domain/geometry.ts';
import type { PhotoFormat, PhotoIssue, PhotoRejection, ReadPhoto, RgbImage } from '../domain/photo.ts';
import { extensionIssue } from './extension.ts';
import { sniffFormat } from './format.ts';
import { mismatch, readHeader } from './header.ts';
import { createHeicDecoder, type HeicDecoder } from './heic-decoder.ts';
import { perceptualHash } from './perceptual-hash.ts';
import { loadPhotoRules, type PhotoRules } from './photo-rules.ts';
import { judgeQuality, loadQualityLimits, type QualityLimits } from './quality.ts';
import { toRaster } from './raster.ts';
import { RejectedPhoto, rejection } from './rejection.ts';
import { type ByteSource, loadBytes, sourceName } from './source-bytes.ts';

/** A photo that was read, or why it was not. */
export type ReadResult =
  | { readonly ok: true; readonly photo: ReadPhoto }
  | { readonly ok: false; readonly rejection: PhotoRejection };

/** Reads, checks and decodes photos. A photo that breaks a rule is a result, not an exception. */
export interface ImagesPhotoReader {
  read(source: ByteSource): Promise<ReadResult>;
  /** Ends the HEIC worker, if one was started. */
  close(): Promise<void>;
}

const NEEDED_FORMATS = 'JPEG, PNG or HEIC';
const WHOLE_PHOTO = 'an undamaged photo (export or copy it again)';

/**
 * A reader for JPEG, PNG and HEIC, told apart by content. Checks run from cheap to dear: size of the file, first
 * bytes, the size that the header claims, and only then pixels.
 */
export function createPhotoReader(
  rules: PhotoRules = loadPhotoRules(),
  limits: QualityLimits = loadQualityLimits(),
): ImagesPhotoReader {
  const heic = createHeicDecoder(rules.decodeTimeoutSeconds);
  return {
    async read(source) {
      try {
        return { ok: true, photo: await readPhoto(source, rules, limits, heic) };
      } catch (error) {
        if (error instanceof RejectedPhoto) return { ok: false, rejection: error.rejection };
        throw error;
      }
    },
    close: () => heic.close(),
  };
}

async function readPhoto(
  source: ByteSource,
  rules: PhotoRules,
  limits: QualityLimits,
  heic: HeicDecoder,
): Promise<ReadPhoto> {
  const name = sourceName(source);
  const bytes = await loadBytes(source, rules);
  const format = judgeFormat(name, bytes);
  const claimed = await claimedSize(name, bytes, format);
  checkSize(name, claimed, rules);
  const { raster, size } = await decode(name, bytes, format, claimed, rules, heic);
  const [quality, hash] = await Promise.all([judgeQuality(raster, size, limits), perceptualHash(raster)]);
  return {
    facts: {
      format,
      bytes: bytes.byteLength,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      size,
    },
    raster,
    issues: [...extensionIssue(name, format), ...quality] satisfies PhotoIssue[],
    perceptualHash: hash,
  };
}

function judgeFormat(name: string, bytes: Uint8Array): PhotoFormat {
  const sniffed = sniffFormat(bytes);
  if (sniffed.kind === 'photo') return sniffed.format;
  const found = sniffed.kind === 'other' ? sniffed.name : 'a file that is not an image';
  throw new RejectedPhoto(rejection(name, 'UNSUPPORTED_IMAGE_FORMAT', found, NEEDED_FORMATS));
}

async function claimedSize(name: string, bytes: Uint8Array, format: PhotoFormat): Promise<Size> {
  const header = await readHeader(bytes).catch((error: unknown) => {
    throw unreadable(name, format, error);
  });
  const other = mismatch(header, format);
  if (other !== undefined) {
    throw new RejectedPhoto(rejection(name, 'UNSUPPORTED_IMAGE_FORMAT', other, NEEDED_FORMATS));
  }
  return header.size;
}

function checkSize(name: string, size: Size, rules: PhotoRules): void {
  const { width, height } = size;
  const found = `${width}x${height}`;
  if (width * height > rules.maxPixels || Math.max(width, height) > rules.maxSide) {
    const needed = `at most ${rules.maxPixels / 1e6} million pixels and ${rules.maxSide} pixels a side`;
    throw new RejectedPhoto(rejection(name, 'IMAGE_TOO_LARGE', `${found} pixels`, needed));
  }
  if (Math.max(width, height) < rules.minLongSide || Math.min(width, height) < rules.minShortSide) {
    const needed = `${rules.minLongSide}x${rules.minShortSide}`;
    throw new RejectedPhoto(rejection(name, 'IMAGE_QUALITY_TOO_LOW', found, needed));
  }
}

async function decode(
  name: string,
  bytes: Uint8Array,
  format: PhotoFormat,
  claimed: Size,
  rules: PhotoRules,
  heic: HeicDecoder,
): Promise<{ raster: RgbImage; size: Size }> {
  const limits = { maxPixels: rules.maxPixels, timeoutSeconds: rules.decodeTimeoutSeconds };
  try {
    if (format !== 'heic') return { raster: await toRaster(bytes, limits), size: claimed };
    const answer = await heic.decode({ bytes, maxPixels: rules.maxPixels });
    if (!answer.ok) {
      throw new RejectedPhoto(
        rejection(name, 'IMAGE_UNREADABLE', `a HEIC photo with ${answer.reason}`, WHOLE_PHOTO),
      );
    }
    const size = { width: answer.width, height: answer.height };
    checkSize(name, size, rules);
    return { raster: await toRaster(answer, limits), size };
  } catch (error) {
    throw error instanceof RejectedPhoto ? error : unreadable(name, format, error);
  }
}

function unreadable(name: string, format: PhotoFormat, error: unknown): RejectedPhoto {
  const reason = (error instanceof Error ? error.message : String(error)).split('\n')[0]?.trim() ?? '';
  const found = `a damaged or cut-off ${format.toUpperCase()} file (${reason})`;
  return new RejectedPhoto(rejection(name, 'IMAGE_UNREADABLE', found, WHOLE_PHOTO));
}
