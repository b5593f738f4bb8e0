import type { Sharp } from 'sharp';
import { type Box, clampToPixels, type Size, scaleBox } from '../../domain/geometry.ts';
import type { RgbImage } from '../../domain/photo.ts';
import { mapQuad, type Point, type Quad } from '../../domain/quad.ts';
import type { PhotoSource } from '../../engine/request.ts';
import { createHeicDecoder, type HeicDecoder } from '../read/heic-decoder.ts';
import { openUpright, type UprightPhoto } from '../read/open-upright.ts';
import { loadPhotoRules } from '../read/photo-rules.ts';
import { openPixels, readPixels } from '../sharp.ts';
import { drawMarksOverlay, type Mark } from './marks-overlay.ts';
import { redactRegions } from './redact.ts';

interface SizedJpeg extends Size {
  readonly jpeg: Uint8Array;
}

/** The whole photo and crops of it, each with a maximum side; regions in pixels of the upright photo. */
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

/** Shows scratches in a report, at a third of the size of annotated photos. */
const QUALITY = 80;

/** Creates all report pictures of a photo from a single decode, as sRGB without EXIF or GPS. */
async function makePictureSet(photo: UprightPhoto, requests: PictureRequest): Promise<PictureSet> {
  const { crops, hidden = [], maxSide } = requests;
  // Without crops or redaction, no intermediate pixels are kept.
  if (crops.length + hidden.length === 0)
    return { photo: await scaleToJpeg(await photo.pixels(), photo.size, maxSide), crops: [] };
  const scale = computeSufficientScale(photo.size, requests);
  const base = await decodePixels(photo, scale);
  const toBase = (box: Box) =>
    scaleBox(box, { width: base.width / photo.size.width, height: base.height / photo.size.height });
  const toBaseCorner = ({ x, y }: Point): Point => {
    const { width, height } = photo.size;
    return { x: (x * base.width) / width, y: (y * base.height) / height };
  };
  const picture = await redactRegions(
    base,
    hidden.map((quad) => mapQuad(quad, toBaseCorner)),
  );
  const croppedPictures = crops.map(({ region, maxSide }) => {
    const { x: left, y: top, ...size } = roundToPixels(toBase(clampToPixels(region, photo.size)), picture);
    return scaleToJpeg(openPixels(picture).extract({ left, top, ...size }), size, maxSide);
  });
  return {
    photo: await scaleToJpeg(openPixels(picture), picture, maxSide),
    crops: await Promise.all(croppedPictures),
  };
}

/** From a third of the size, sharp scales a JPEG while decoding, which halves the decoding time. */
const MAX_SHRINK_SCALE = 1 / 3.01;

/** Returns the smallest scale of the photo that is sufficient for every picture; 1 if scaling saves no time. */
function computeSufficientScale(size: Size, { crops, maxSide }: PictureRequest): number {
  const scales = [
    { region: size, maxSide },
    ...crops.map(({ region, maxSide }) => ({ region: clampToPixels(region, size), maxSide: maxSide })),
  ].map(({ region, maxSide }) => maxSide / Math.max(region.width, region.height));
  const scale = Math.max(...scales);
  return scale <= MAX_SHRINK_SCALE ? scale : 1;
}

/** Rounds a region to whole pixels, so a crop at the requested size is not resampled by a single pixel. */
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
    .jpeg({ quality: QUALITY, optimiseCoding: false })
    .toBuffer();
  return { jpeg, width, height };
}

/** An open photo; boxes in pixels of the upright photo, results as sRGB JPEG without EXIF or GPS. */
export interface OpenPhoto {
  readonly size: Size;
  /** Draws numbered boxes on the whole photo, with the `hidden` regions redacted. */
  annotate(marks: readonly Mark[], hidden?: readonly Quad[]): Promise<Uint8Array>;
  /** Creates the report pictures from a single decode. */
  pictures(requests: PictureRequest): Promise<PictureSet>;
}

/** Creates pictures from photos accepted by the reader. */
interface PhotoStudio {
  /**
   * @param keepPixels decodes the photo once for several pictures and keeps the pixels in memory until it is dropped
   * @throws VehiError input, if the photo violates a rule of the reader or is damaged
   */
  open(source: PhotoSource, keepPixels?: boolean): Promise<OpenPhoto>;
  /** Ends the HEIC worker, if started. */
  close(): Promise<void>;
}

const JPEG_QUALITY = 88;

/** Creates a studio with its own HEIC decoder, started on demand. */
export function createPhotoStudio(rules = loadPhotoRules()): PhotoStudio {
  const heic: HeicDecoder = createHeicDecoder(rules.decodeTimeoutSeconds);
  return {
    async open(source, keepPixels = false) {
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
              .jpeg({ quality: JPEG_QUALITY, chromaSubsampling: '4:4:4' })
              .toBuffer();
          }),
        pictures: (requests) => photo.run(() => makePictureSet(photo, requests)),
      };
    },
    close: () => heic.close(),
  };
}
