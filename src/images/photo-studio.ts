import type { Sharp } from 'sharp';
import { type Box, clampToPixels, type Size } from '../domain/geometry.ts';
import { createHeicDecoder, type HeicDecoder } from './heic-decoder.ts';
import { loadLabelGlyphs } from './label-glyphs.ts';
import { loadMarkStyles, type Mark, marksOverlay } from './marks-overlay.ts';
import { openUpright, type UprightPhoto } from './open-upright.ts';
import { loadPhotoRules } from './photo-rules.ts';
import { openImage } from './sharp.ts';
import type { ByteSource } from './source-bytes.ts';
import { writeWholeFile } from './write-whole-file.ts';

/** A close-up: the JPEG, and where in it the damage is (pixels of the close-up). */
export interface CloseUp {
  readonly jpeg: Uint8Array;
  readonly size: Size;
  readonly box: Box;
}

export interface CloseUpOptions {
  /** Longest side of the result, pixels; smaller cut-outs are not enlarged. */
  readonly maxSide: number;
  /** Surroundings shown on each side, as a share of the damage's longer side; 0.5 where not given. */
  readonly margin?: number;
}

/** One photo, opened once; boxes in pixels of the upright photo, results JPEG in sRGB without EXIF or GPS. */
export interface OpenPhoto {
  readonly size: Size;
  /** The whole photo with numbered boxes. */
  annotate(marks: readonly Mark[]): Promise<Uint8Array>;
  cropDamage(box: Box, options: CloseUpOptions): Promise<CloseUp>;
  /** The whole photo with regions made unrecognisable for good (six cells of colour along the longer side). */
  blurRegions(boxes: readonly Box[]): Promise<Uint8Array>;
  thumbnail(maxSide: number): Promise<Uint8Array>;
}

/** Makes pictures out of photos that the reader accepted. */
export interface PhotoStudio {
  /** @throws VehiError input, when the photo breaks a rule of the reader or is damaged */
  open(source: ByteSource): Promise<OpenPhoto>;
  /** Writes the annotated photo to `out`, whole or not at all. @throws VehiError input or usage (out not writable) */
  annotate(source: ByteSource, marks: readonly Mark[], out: string): Promise<Size>;
  /** Ends the HEIC worker, if one was started. */
  close(): Promise<void>;
}

const JPEG_QUALITY = 88;
/** Cells that a redacted region keeps along its longer side; a plate has seven or more characters. */
const REDACTED_CELLS = 6;
/** A close-up shows at least this share of the photo's shorter side, so that one sees where it is. */
const MIN_CONTEXT = 0.12;

/** Makes a studio with its own HEIC decoder, started when first needed. */
export function createPhotoStudio(): PhotoStudio {
  const rules = loadPhotoRules();
  const heic: HeicDecoder = createHeicDecoder(rules.decodeTimeoutSeconds);
  const font = loadLabelGlyphs();
  const styles = loadMarkStyles();

  const open = async (source: ByteSource): Promise<OpenPhoto> => {
    const photo = await openUpright(source, rules, heic);
    return {
      size: photo.size,
      annotate: (marks) =>
        photo.run(() => {
          const overlay = Buffer.from(marksOverlay(marks, photo.size, font, styles));
          return toJpeg(photo.pixels().composite([{ input: overlay, limitInputPixels: rules.maxPixels }]));
        }),
      cropDamage: (box, options) => photo.run(() => closeUp(photo, box, options)),
      blurRegions: (boxes) => photo.run(() => redact(photo, boxes)),
      thumbnail: (maxSide) => {
        const size = { width: maxSide, height: maxSide };
        return photo.run(() =>
          toJpeg(photo.pixels().resize({ ...size, fit: 'inside', withoutEnlargement: true })),
        );
      },
    };
  };

  return {
    open,
    async annotate(source, marks, out) {
      const photo = await open(source);
      await writeWholeFile(out, await photo.annotate(marks));
      return photo.size;
    },
    close: () => heic.close(),
  };
}

async function closeUp(photo: UprightPhoto, box: Box, options: CloseUpOptions): Promise<CloseUp> {
  const damage = clampToPixels(box, photo.size);
  const region = surroundings(damage, photo.size, options.margin ?? 0.5);
  const scale = Math.min(1, options.maxSide / Math.max(region.width, region.height));
  const size = {
    width: Math.max(1, Math.round(region.width * scale)),
    height: Math.max(1, Math.round(region.height * scale)),
  };
  const cut = photo
    .pixels()
    .extract({ left: region.x, top: region.y, width: region.width, height: region.height });
  const jpeg = await toJpeg(cut.resize({ ...size, fit: 'fill' }));
  const inside = {
    x: (damage.x - region.x) * scale,
    y: (damage.y - region.y) * scale,
    width: damage.width * scale,
    height: damage.height * scale,
  };
  return { jpeg, size, box: clampToPixels(inside, size) };
}

/** The damage with a margin, pushed back inside where it would leave the photo. */
function surroundings(damage: Box, photo: Size, margin: number): Box {
  const least = MIN_CONTEXT * Math.min(photo.width, photo.height);
  const rim = Math.max(damage.width, damage.height) * margin;
  const width = Math.min(photo.width, Math.max(least, damage.width + 2 * rim));
  const height = Math.min(photo.height, Math.max(least, damage.height + 2 * rim));
  const x = Math.min(Math.max(0, damage.x + (damage.width - width) / 2), photo.width - width);
  const y = Math.min(Math.max(0, damage.y + (damage.height - height) / 2), photo.height - height);
  return clampToPixels({ x, y, width, height }, photo);
}

async function redact(photo: UprightPhoto, boxes: readonly Box[]): Promise<Uint8Array> {
  const patches = await Promise.all(
    boxes.map(async (box) => {
      const { x, y, width, height } = clampToPixels(box, photo.size);
      const cell = Math.max(width, height) / REDACTED_CELLS;
      const cells = {
        width: Math.max(1, Math.round(width / cell)),
        height: Math.max(1, Math.round(height / cell)),
      };
      const coarse = await photo
        .pixels()
        .extract({ left: x, top: y, width, height })
        .resize({ ...cells, fit: 'fill' })
        .raw()
        .toBuffer();
      const smooth = openImage(coarse, { raw: { ...cells, channels: 3 } }).resize({
        width,
        height,
        fit: 'fill',
      });
      return { left: x, top: y, input: await smooth.png({ compressionLevel: 1 }).toBuffer() };
    }),
  );
  return toJpeg(photo.pixels().composite(patches));
}

async function toJpeg(image: Sharp): Promise<Uint8Array> {
  return image.jpeg({ quality: JPEG_QUALITY, chromaSubsampling: '4:4:4' }).toBuffer();
}
