import { type Box, clamp, type Size } from '../geometry.ts';
import type { GrayImage, RgbImage } from '../photo.ts';
import { type Affine, computeScaleChange, mapPoint } from './registration.ts';

/** Side of the crop relative to the box; the surroundings on both sides together are as wide as the box. */
const CROP_TO_BOX_RATIO = 2;
/** Minimum side of the crop, pixels of the source photo. */
const MIN_CROP_SIDE = 64;
/** Maximum pixels per side of the crop: at half of it, a 1 cm wide crack in a bumper is no longer visible. */
const MAX_CROP_PIXELS = 320;
const MIN_CROP_PIXELS = 32;
/** Maximum registration error, pixels of the crop. */
export const MAX_SHIFT = 4;
/** Margin around the crop that only shifts use, pixels. */
export const MARGIN = 2 * MAX_SHIFT;

/** Pixel rectangle of a crop; right and bottom exclusive. */
export interface Window {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Square crop around a place in two photos, at the scale of the coarser one. */
interface CropFrame {
  /** Side of the crop in pixels, margin included. */
  readonly size: number;
  /** Transform from crop pixels to each photo, and the photo pixels covered by one crop pixel. */
  readonly source: { readonly model: Affine; readonly coverage: number };
  readonly target: { readonly model: Affine; readonly coverage: number };
  /** Returns the pixels of a box of the source photo in the crop, `margin` wider on each side and clipped to the crop. */
  readonly toWindow: (box: Box, margin: number) => Window;
}

/**
 * Positions the crop of a place in both photos.
 * @param box of the place, pixels of the source photo
 * @param model from the source photo to the target
 */
export function createCropFrame(box: Box, model: Affine): CropFrame {
  const center = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const side = Math.max(MIN_CROP_SIDE, CROP_TO_BOX_RATIO * Math.max(box.width, box.height));
  const zoom = computeScaleChange(model);
  const pixels = Math.round(clamp(side * Math.min(1, zoom), MIN_CROP_PIXELS, MAX_CROP_PIXELS));
  const size = pixels + 2 * MARGIN;
  const perPixel = side / pixels;
  const toStart = (middle: number) => middle - side / 2 + (0.5 - MARGIN) * perPixel;
  const toSource: Affine = [perPixel, 0, toStart(center.x), 0, perPixel, toStart(center.y)];
  const toCropPixel = (value: number, middle: number) => (value - middle + side / 2) / perPixel + MARGIN;
  const clampToCrop = (value: number) => clamp(value, MARGIN - 3, size - MARGIN + 3);
  return {
    size,
    source: { model: toSource, coverage: perPixel },
    target: { model: composeTransforms(toSource, model), coverage: perPixel * zoom },
    toWindow: ({ x, y, width, height }, margin) => ({
      left: clampToCrop(Math.floor(toCropPixel(x, center.x) - margin)),
      top: clampToCrop(Math.floor(toCropPixel(y, center.y) - margin)),
      right: clampToCrop(Math.ceil(toCropPixel(x + width, center.x) + margin)),
      bottom: clampToCrop(Math.ceil(toCropPixel(y + height, center.y) + margin)),
    }),
  };
}

/** Clips a window to the area that a photo shows, tested at the midpoints of its sides. */
export function clipToPhoto(window: Window, { model }: CropFrame['target'], { width, height }: Size): Window {
  const isShown = (x: number, y: number) => {
    const at = mapPoint(model, x, y);
    return at.x >= 0 && at.y >= 0 && at.x <= width && at.y <= height;
  };
  const [middleX, middleY] = [(window.left + window.right) / 2, (window.top + window.bottom) / 2];
  let { left, top, right, bottom } = window;
  while (left < middleX && !isShown(left, middleY)) left++;
  while (right > middleX && !isShown(right, middleY)) right--;
  while (top < middleY && !isShown(middleX, top)) top++;
  while (bottom > middleY && !isShown(middleX, bottom)) bottom--;
  return { left, top, right, bottom };
}

/** Composes two transforms: `first`, then `second`. */
function composeTransforms([a, b, c, d, e, f]: Affine, second: Affine): Affine {
  const [p, q, r, s, t, u] = second;
  return [p * a + q * d, p * b + q * e, p * c + q * f + r, s * a + t * d, s * b + t * e, s * c + t * f + u];
}

/**
 * Samples the pixels of a crop, each averaged over the photo area that it covers; edges are extended beyond the photo.
 * @param channel 0 to 2 of an RGB picture, omitted for a gray one
 */
export function sampleCrop(
  { data, width, height }: RgbImage | GrayImage,
  size: number,
  { model: [a, b, c, d, e, f], coverage }: CropFrame['source'],
  channel?: number,
): Float32Array {
  const step = channel === undefined ? 1 : 3;
  const channelOffset = channel ?? 0;
  const stride = step * width;
  const pixels = new Float32Array(size * size);
  const samples = clamp(Math.round(coverage), 1, 8);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      let sum = 0;
      for (let sub = 0; sub < samples * samples; sub++) {
        const u = x + ((sub % samples) + 0.5) / samples - 0.5;
        const v = y + (Math.floor(sub / samples) + 0.5) / samples - 0.5;
        const atX = clamp(a * u + b * v + c - 0.5, 0, width - 1.001);
        const atY = clamp(d * u + e * v + f - 0.5, 0, height - 1.001);
        const left = Math.floor(atX);
        const top = Math.floor(atY);
        const [fractionX, fractionY] = [atX - left, atY - top];
        const at = stride * top + step * left + channelOffset;
        const upper = (data[at] as number) * (1 - fractionX) + (data[at + step] as number) * fractionX;
        const [from, to] = [data[at + stride] as number, data[at + stride + step] as number];
        const lower = from * (1 - fractionX) + to * fractionX;
        sum += upper * (1 - fractionY) + lower * fractionY;
      }
      pixels[y * size + x] = sum / (samples * samples);
    }
  }
  return pixels;
}
