import type { Sharp } from 'sharp';
import { type Box, clampToPixels, type Size, scaleBox } from '../../domain/geometry.ts';
import { computeRasterLongSide, type RgbImage } from '../../domain/photo.ts';
import { createHeicDecoder, type HeicDecoder } from '../read/heic-decoder.ts';
import { openUpright, type UprightPhoto } from '../read/open-upright.ts';
import { loadPhotoRules } from '../read/photo-rules.ts';
import type { ByteSource } from '../read/source-bytes.ts';
import { openImage } from '../sharp.ts';
import { loadLabelGlyphs } from './label-glyphs.ts';
import { drawMarksOverlay, type Mark } from './marks-overlay.ts';
import { redactRegions } from './redact.ts';

/** A JPEG with its size, pixels. */
interface SizedJpeg extends Size {
  readonly jpeg: Uint8Array;
}

/** The whole photo and cut-outs of it, each no larger than asked; regions in pixels of the upright photo. */
interface WantedSet {
  readonly maxSide: number;
  readonly crops: readonly { readonly region: Box; readonly maxSide: number }[];
  /** Regions to make unrecognisable in everything that comes out. */
  readonly hidden?: readonly Box[];
}

interface PictureSet {
  readonly photo: SizedJpeg;
  readonly crops: readonly SizedJpeg[];
}

/** Fine enough to see a scratch in a report, a third of the bytes of the studio's marked photos. */
const QUALITY = 80;

/** Makes all pictures a report needs of one photo, decoded once. Results are sRGB without EXIF or GPS. */
async function makePictureSet(photo: UprightPhoto, wanted: WantedSet): Promise<PictureSet> {
  const { crops, hidden = [], maxSide } = wanted;
  // With nothing to cut or hide, nothing is held as pixels in between.
  if (crops.length + hidden.length === 0)
    return { photo: await scaleToJpeg(await photo.pixels(), photo.size, maxSide), crops: [] };
  const scale = computeSufficientScale(photo.size, wanted);
  const base = await (scale === 1 ? decodePixels(photo) : readReducedPixels(photo, scale));
  const toBase = (box: Box) =>
    scaleBox(box, { width: base.width / photo.size.width, height: base.height / photo.size.height });
  const picture = await redactRegions(base, hidden.map(toBase));
  const open = () =>
    openImage(picture.data, { raw: { width: picture.width, height: picture.height, channels: 3 } });
  const cuts = crops.map(({ region, maxSide: most }) => {
    const {
      x: left,
      y: top,
      width,
      height,
    } = roundToPixels(toBase(clampToPixels(region, photo.size)), picture);
    return scaleToJpeg(open().extract({ left, top, width, height }), { width, height }, most);
  });
  return { photo: await scaleToJpeg(open(), picture, maxSide), crops: await Promise.all(cuts) };
}

/** From three times smaller on, sharp has a JPEG scaled while it is decoded, which halves the time of decoding. */
const WORTHWHILE = 1 / 3.01;

/**
 * Returns the smallest scale of the photo that holds every wanted picture at the size asked for, 1 where scaling gains
 * nothing.
 */
function computeSufficientScale(size: Size, { crops, maxSide }: WantedSet): number {
  const needs = [
    { region: size, maxSide },
    ...crops.map(({ region, maxSide: most }) => ({ region: clampToPixels(region, size), maxSide: most })),
  ].map(({ region, maxSide: most }) => most / Math.max(region.width, region.height));
  const scale = Math.max(...needs);
  return scale <= WORTHWHILE ? scale : 1;
}

/**
 * Returns the region at whole pixels nearest to it, so that one cut at the size asked for is not scaled again by a
 * pixel.
 */
function roundToPixels(region: Box, image: Size): Box {
  const width = Math.max(1, Math.round(region.width));
  const height = Math.max(1, Math.round(region.height));
  const x = Math.min(Math.round(region.x), image.width - width);
  const y = Math.min(Math.round(region.y), image.height - height);
  return { x, y, width, height };
}

/** Decodes the whole photo to pixels once, as each cut-out of a JPEG would decode it again. */
async function decodePixels(photo: UprightPhoto): Promise<RgbImage> {
  return asPixels(await photo.pixels());
}

async function readReducedPixels(photo: UprightPhoto, scale: number): Promise<RgbImage> {
  const pixels = await photo.pixels();
  return asPixels(pixels.resize({ ...reduceSize(photo.size, scale), fit: 'fill', kernel: 'mitchell' }));
}

async function asPixels(image: Sharp): Promise<RgbImage> {
  const { data, info } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

function reduceSize({ width, height }: Size, scale: number): Size {
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

async function scaleToJpeg(pixels: Sharp, size: Size, maxSide: number): Promise<SizedJpeg> {
  const { width, height } = reduceSize(size, Math.min(1, maxSide / Math.max(size.width, size.height)));
  const jpeg = await pixels
    .resize({ width, height, fit: 'fill', kernel: 'mitchell' })
    // Code tables fitted to each picture would save two per cent of the bytes for twice the time of encoding.
    .jpeg({ quality: QUALITY, optimiseCoding: false })
    .toBuffer();
  return { jpeg, width, height };
}

/** One photo, opened once; boxes in pixels of the upright photo, results JPEG in sRGB without EXIF or GPS. */
export interface OpenPhoto {
  readonly size: Size;
  /** The whole photo with numbered boxes, over regions made unrecognisable where some are hidden. */
  annotate(marks: readonly Mark[], hidden?: readonly Box[]): Promise<Uint8Array>;
  /** The photo as the models look at it. */
  raster(): Promise<RgbImage>;
  /** What a report shows of it, decoded once. */
  pictures(wanted: WantedSet): Promise<PictureSet>;
}

/** Makes pictures out of photos that the reader accepted. */
interface PhotoStudio {
  /**
   * @param keepPixels for a photo of which several things are made: it is decoded once, and stays in memory until dropped
   * @throws VehiError input, when the photo breaks a rule of the reader or is damaged
   */
  open(source: ByteSource, keepPixels?: boolean): Promise<OpenPhoto>;
  /** Ends the HEIC worker, if one was started. */
  close(): Promise<void>;
}

const JPEG_QUALITY = 88;

/** Makes a studio with its own HEIC decoder, started when first needed. */
export function createPhotoStudio(rules = loadPhotoRules()): PhotoStudio {
  const heic: HeicDecoder = createHeicDecoder(rules.decodeTimeoutSeconds);
  const font = loadLabelGlyphs();
  return {
    async open(source, keepPixels = false) {
      const photo = await openUpright(source, rules, heic, keepPixels);
      return {
        size: photo.size,
        annotate: (marks, hidden = []) =>
          photo.run(async () => {
            const overlay = Buffer.from(drawMarksOverlay(marks, photo.size, font));
            const base =
              hidden.length === 0
                ? await photo.pixels()
                : asImage(await redactRegions(await decodePixels(photo), hidden));
            return toJpeg(base.composite([{ input: overlay, limitInputPixels: rules.maxPixels }]));
          }),
        raster: () => photo.run(() => makeSmallRaster(photo)),
        pictures: (wanted) => photo.run(() => makePictureSet(photo, wanted)),
      };
    },
    close: () => heic.close(),
  };
}

async function makeSmallRaster(photo: UprightPhoto): Promise<RgbImage> {
  const longSide = computeRasterLongSide(photo.size);
  const pixels = await photo.pixels();
  const { data, info } = await pixels
    .resize({ width: longSide, height: longSide, fit: 'inside', withoutEnlargement: true })
    .removeAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

function asImage({ data, width, height }: RgbImage): Sharp {
  return openImage(data, { raw: { width, height, channels: 3 } });
}

async function toJpeg(image: Sharp): Promise<Uint8Array> {
  return image.jpeg({ quality: JPEG_QUALITY, chromaSubsampling: '4:4:4' }).toBuffer();
}
