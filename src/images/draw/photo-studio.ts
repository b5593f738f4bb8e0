import type { Sharp } from 'sharp';
import { type Box, clampToPixels, type Size, scaleBox } from '../../domain/geometry.ts';
import type { RgbImage } from '../../domain/photo.ts';
import { mapQuad, type Point, type Quad } from '../../domain/quad.ts';
import type { PhotoSource } from '../../engine/request.ts';
import { createHeicDecoder } from '../read/heic-decoder.ts';
import { openUpright, type UprightPhoto } from '../read/open-upright.ts';
import { loadPhotoRules } from '../read/photo-rules.ts';
import { openPixels, readPixels } from '../sharp.ts';
import { drawMarksOverlay, type Mark } from './marks-overlay.ts';
import { redactRegions } from './redact.ts';

interface SizedJpeg extends Size {
  readonly jpeg: Uint8Array;
}

/** A request for the whole photo and crops of it, each with a maximum side; regions in pixels of the upright photo. */
interface PictureRequest {
  readonly maxSide: number;
  readonly crops: readonly { readonly region: Box; readonly maxSide: number }[];
  /** Regions to redact in all pictures. */
  readonly hidden?: readonly Quad[];
}

interface PictureSet {
  readonly photo: SizedJpeg;
  readonly crops: readonly SizedJpeg[];
}

/** JPEG quality of report pictures: scratches stay visible, at a third of the size of annotated photos. */
const REPORT_QUALITY = 80;
/** JPEG quality of annotated photos, which keep the size of the original. */
const ANNOTATED_QUALITY = 88;

/** Creates all report pictures of a photo from a single decode, as sRGB without EXIF or GPS. */
async function makePictureSet(photo: UprightPhoto, request: PictureRequest): Promise<PictureSet> {
  const { crops, hidden = [], maxSide } = request;
  // Without crops or redaction, no decoded pixels are kept.
  if (crops.length + hidden.length === 0)
    return { photo: await scaleToJpeg(await photo.pixels(), photo.size, maxSide), crops: [] };
  const scale = computeSufficientScale(photo.size, request);
  const base = await decodePixels(photo, scale);
  const { width, height } = photo.size;
  const zoom = { width: base.width / width, height: base.height / height };
  const toBase = ({ x, y }: Point): Point => ({ x: (x * base.width) / width, y: (y * base.height) / height });
  const picture = await redactRegions(
    base,
    hidden.map((quad) => mapQuad(quad, toBase)),
  );
  const croppedPictures = crops.map(({ region, maxSide }) => {
    const { x, y, ...size } = roundToPixels(scaleBox(clampToPixels(region, photo.size), zoom), picture);
    return scaleToJpeg(openPixels(picture).extract({ left: x, top: y, ...size }), size, maxSide);
  });
  return {
    photo: await scaleToJpeg(openPixels(picture), picture, maxSide),
    crops: await Promise.all(croppedPictures),
  };
}

/** At a third of the size or less, sharp scales a JPEG while decoding, which halves the decoding time. */
const MAX_SHRINK_SCALE = 1 / 3.01;

/** Returns the smallest scale of the photo that suffices for every picture; 1 if scaling saves no time. */
function computeSufficientScale(size: Size, { crops, maxSide }: PictureRequest): number {
  const compute = (shown: Size, side: number) => side / Math.max(shown.width, shown.height);
  const ofCrops = crops.map(({ region, maxSide: side }) => compute(clampToPixels(region, size), side));
  const scale = Math.max(compute(size, maxSide), ...ofCrops);
  return scale <= MAX_SHRINK_SCALE ? scale : 1;
}

/** Rounds a region to whole pixels, so a crop at the requested size is not resampled over a single pixel. */
function roundToPixels(region: Box, image: Size): Box {
  const width = Math.max(1, Math.round(region.width));
  const height = Math.max(1, Math.round(region.height));
  const x = Math.min(Math.round(region.x), image.width - width);
  const y = Math.min(Math.round(region.y), image.height - height);
  return { x, y, width, height };
}

/** Decodes the whole photo once, because every JPEG crop would decode it again. */
async function decodePixels(photo: UprightPhoto, scale = 1): Promise<RgbImage> {
  const pixels = await photo.pixels();
  const size = { ...reduceSize(photo.size, scale), fit: 'fill', kernel: 'mitchell' } as const;
  return readPixels((scale === 1 ? pixels : pixels.resize(size)).removeAlpha());
}

function reduceSize({ width, height }: Size, scale: number): Size {
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

async function scaleToJpeg(pixels: Sharp, size: Size, maxSide: number): Promise<SizedJpeg> {
  const { width, height } = reduceSize(size, Math.min(1, maxSide / Math.max(size.width, size.height)));
  const jpeg = await pixels
    .resize({ width, height, fit: 'fill', kernel: 'mitchell' })
    // Optimized Huffman tables would save 2 % of the bytes for twice the encoding time.
    .jpeg({ quality: REPORT_QUALITY, optimiseCoding: false })
    .toBuffer();
  return { jpeg, width, height };
}

/** An open photo; boxes in pixels of the upright photo, results as sRGB JPEG without EXIF or GPS. */
export interface OpenPhoto {
  readonly size: Size;
  /** Draws numbered boxes on the whole photo, with the `hidden` regions redacted. */
  annotate(marks: readonly Mark[], hidden?: readonly Quad[]): Promise<Uint8Array>;
  pictures(request: PictureRequest): Promise<PictureSet>;
}

/** Creates pictures from photos that the reader accepted; has its own HEIC decoder, started on demand. */
export function createPhotoStudio(rules = loadPhotoRules()) {
  const heic = createHeicDecoder(rules.decodeTimeoutSeconds);
  return {
    /**
     * @param keepPixels decodes the photo once for several pictures and keeps its pixels until the photo is dropped
     * @throws PhotoRejectedError, if the photo violates a rule of the reader; damaged pixels, where they are decoded
     */
    async open(source: PhotoSource, keepPixels = false): Promise<OpenPhoto> {
      const photo = await openUpright(source, rules, heic, keepPixels);
      return {
        size: photo.size,
        annotate: (marks, hidden = []) =>
          photo.run(async () => {
            const overlay = Buffer.from(drawMarksOverlay(marks, photo.size));
            const base =
              hidden.length === 0
                ? await photo.pixels()
                : openPixels(await redactRegions(await decodePixels(photo), hidden));
            return base
              .composite([{ input: overlay, limitInputPixels: rules.maxPixels }])
              .jpeg({ quality: ANNOTATED_QUALITY, chromaSubsampling: '4:4:4' })
              .toBuffer();
          }),
        pictures: (request) => photo.run(() => makePictureSet(photo, request)),
      };
    },
    close: () => heic.close(),
  };
}
