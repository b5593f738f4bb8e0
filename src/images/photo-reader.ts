import type { ReadPhoto, RgbImage } from '../domain/photo.ts';
import type { PhotoReader } from '../engine/ports.ts';
import type { PhotoSource } from '../engine/request.ts';
import { hashBytes } from '../lib/ids.ts';
import { checkExtension } from './find/extension.ts';
import { computePerceptualHash } from './quality/perceptual-hash.ts';
import { judgeQuality } from './quality/quality.ts';
import { type CheckedPhoto, loadCheckedPhoto, measureEmptyEnd } from './read/checked-photo.ts';
import { readExif } from './read/exif.ts';
import { createHeicDecoder, type HeicDecoder } from './read/heic-decoder.ts';
import { decodeHeic } from './read/heic-photo.ts';
import { correctJpegHeader } from './read/jpeg.ts';
import { loadPhotoRules, type PhotoRules } from './read/photo-rules.ts';
import { toRaster } from './read/raster.ts';
import { makeDamagedError, makeIncompleteError, PhotoRejectedError } from './read/rejection.ts';

/** Creates a reader for JPEG, PNG and HEIC, detected by content. Any number of reads may run in parallel. */
export function createPhotoReader(rules: PhotoRules = loadPhotoRules()): Required<PhotoReader> {
  const heic = createHeicDecoder(rules.decodeTimeoutSeconds);
  return {
    async read(source) {
      try {
        return { ok: true, photo: await readPhoto(source, rules, heic) };
      } catch (error) {
        if (error instanceof PhotoRejectedError) return { ok: false, rejection: error.rejection };
        throw error;
      }
    },
    close: () => heic.close(),
  };
}

async function readPhoto(source: PhotoSource, rules: PhotoRules, heic: HeicDecoder): Promise<ReadPhoto> {
  const photo = await loadCheckedPhoto(source, rules);
  const { name, format, bytes } = photo;
  const { raster, size } = await decode(photo, rules, heic).catch((error: unknown) => {
    throw makeDamagedError(name, format, error);
  });
  const [quality, perceptualHash, { taken_at: takenAt }] = await Promise.all([
    judgeQuality(raster, size),
    computePerceptualHash(raster),
    readExif(photo.picture),
  ]);
  return {
    facts: { format, bytes: bytes.byteLength, sha256: hashBytes(bytes), size, takenAt },
    raster,
    issues: [...checkExtension(name, format), ...quality],
    perceptualHash,
  };
}

/** Decodes a photo for the models; returns it with the size of the upright original. */
async function decode(photo: CheckedPhoto, rules: PhotoRules, heic: HeicDecoder) {
  if (photo.format === 'heic') {
    const pixels = await decodeHeic(photo, rules, heic);
    const { width, height } = pixels;
    return { raster: await toRaster(pixels, rules), size: { width, height } };
  }
  const raster = photo.format === 'jpeg' ? decodeJpeg(photo, rules) : toRaster(photo.picture, rules);
  return { raster: await raster, size: photo.size };
}

/**
 * Decodes a JPEG and rejects it on any libjpeg warning about its data, because lost, zeroed and foreign blocks show up
 * as warnings. A warning about the header alone, which some cameras cause, is tolerated.
 * @throws PhotoRejectedError stating the missing share if the end of the picture is empty; else the error of libvips
 */
async function decodeJpeg(photo: CheckedPhoto, rules: PhotoRules): Promise<RgbImage> {
  const open = (bytes: Uint8Array) => toRaster(bytes, rules, 'warning');
  try {
    return await open(photo.picture);
  } catch (error) {
    const corrected = correctJpegHeader(photo.picture);
    const decoded = corrected && (await open(corrected).catch(() => undefined));
    if (decoded) return decoded;
    const missing = await measureEmptyEnd(photo.picture, rules);
    throw missing > 0 ? makeIncompleteError(photo, missing) : error;
  }
}
