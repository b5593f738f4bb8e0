import type { Sharp } from 'sharp';
import type { Box, Size } from '../../domain/geometry.ts';
import { computeRasterLongSide, type RgbImage } from '../../domain/photo.ts';
import { createHeicDecoder, type HeicDecoder } from '../read/heic-decoder.ts';
import { openUpright, type UprightPhoto } from '../read/open-upright.ts';
import { loadPhotoRules } from '../read/photo-rules.ts';
import type { ByteSource } from '../read/source-bytes.ts';
import { openImage } from '../sharp.ts';
import { loadLabelGlyphs } from './label-glyphs.ts';
import { drawMarksOverlay, loadMarkStyles, type Mark } from './marks-overlay.ts';
import { decodePixels, makePictureSet, type PictureSet, type WantedSet } from './picture-set.ts';
import { redactRegions } from './redact.ts';

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
  const styles = loadMarkStyles();
  return {
    async open(source, keepPixels = false) {
      const photo = await openUpright(source, rules, heic, keepPixels);
      return {
        size: photo.size,
        annotate: (marks, hidden = []) =>
          photo.run(async () => {
            const overlay = Buffer.from(drawMarksOverlay(marks, photo.size, font, styles));
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
