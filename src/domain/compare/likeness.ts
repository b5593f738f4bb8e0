import { type Box, clamp } from '../geometry.ts';
import type { GrayImage } from '../photo.ts';
import { clipToPhoto, createCropFrame, MARGIN, MAX_SHIFT, sampleCrop, type Window } from './crop.ts';
import type { Affine } from './registration.ts';

/** Likeness of one place in two photos; 1 for identical images, about 0 for unrelated ones. */
export interface Likeness {
  /** Likeness of the place itself. */
  readonly overall: number;
  /** Likeness of the least similar spot inside, for small changes in a large place. */
  readonly worstSpot: number;
  /** Likeness of the surroundings, without the boxes of other findings. */
  readonly surroundings: number;
}

/** Camera and JPEG noise in gray levels; flat areas count as alike. */
const NOISE_LEVELS = 2;
const SPOT_PIXELS = 9;
const SPOT_NOISE = 12;

/**
 * Compares a place in two photos: both cropped at the scale of the coarser one,
 * structure only (gain and offset removed), at the best small shift.
 * @param box of the place, pixels of the source photo
 * @param model from the source photo to the target
 * @param otherBoxes boxes of other findings, pixels of the source photo, excluded from the surroundings
 */
export function compareCrops(
  source: GrayImage,
  target: GrayImage,
  model: Affine,
  box: Box,
  otherBoxes: readonly Box[] = [],
): Likeness {
  const frame = createCropFrame(box, model);
  const { size } = frame;
  const sourceCrop = sampleCrop(source, size, frame.source);
  const targetCrop = sampleCrop(target, size, frame.target);
  const gain = clamp(computeDeviation(sourceCrop) / computeDeviation(targetCrop), 0.6, 1.67);
  const a = filterBand(sourceCrop, size);
  const b = filterBand(
    targetCrop.map((value) => value * gain),
    size,
  );
  // Areas outside the target photo are no difference.
  const window = clipToPhoto(frame.toWindow(box, 3), frame.target, target);
  const place = listPixels(size, window);
  const noise = NOISE_LEVELS * NOISE_LEVELS * place.length;
  const { likeness: overall, shift } = findBestShift(a, b, size, place, noise);
  // A change inside a box spreads around it as far as the coarse blur reaches.
  const excluded = [box, ...otherBoxes].map((one) => frame.toWindow(one, 3 + COARSE_SIGMA));
  const [start, end] = [MARGIN, size - MARGIN];
  const ring = listPixels(size, { left: start, top: start, right: end, bottom: end }, excluded);
  return {
    overall,
    worstSpot: findWorstSpot(a, b, size, window, shift),
    // Uses its own best shift, because a change inside the box does not locate the surroundings.
    surroundings: findBestShift(a, b, size, ring, 0).likeness,
  };
}

function computeDeviation(pixels: Float32Array): number {
  const mean = pixels.reduce((sum, one) => sum + one, 0) / pixels.length;
  const squares = pixels.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return Math.sqrt(squares / pixels.length) + 1e-3;
}

/** Fine and coarse limits of the compared structure, pixels (standard deviations of two blurs). */
const FINE_SIGMA = 1;
const COARSE_SIGMA = 6;

function filterBand(pixels: Float32Array, size: number): Float32Array {
  const fine = blur(pixels, size, FINE_SIGMA);
  const coarse = blur(pixels, size, COARSE_SIGMA);
  return fine.map((value, at) => value - (coarse[at] as number));
}

function blur(pixels: Float32Array, size: number, sigma: number): Float32Array {
  const reach = Math.ceil(3 * sigma);
  const kernel = Array.from({ length: 2 * reach + 1 }, (_, at) =>
    Math.exp(-((at - reach) ** 2) / (2 * sigma ** 2)),
  );
  const sum = kernel.reduce((total, one) => total + one, 0);
  const weights = Float32Array.from(kernel, (one) => one / sum);
  // Processes one row at a time with repeated ends, so the inner loop needs no border checks.
  const line = new Float32Array(size + 2 * reach);
  const blurAlong = (source: Float32Array, step: number, across: number): Float32Array => {
    const result = new Float32Array(source.length);
    for (let start = 0; start < size * across; start += across) {
      for (let at = 0; at < line.length; at++)
        line[at] = source[start + clamp(at - reach, 0, size - 1) * step] as number;
      for (let at = 0; at < size; at++) {
        let value = (weights[reach] as number) * (line[at + reach] as number);
        for (let k = 0; k < reach; k++)
          value += (weights[k] as number) * ((line[at + k] as number) + (line[at + 2 * reach - k] as number));
        result[start + at * step] = value;
      }
    }
    return result;
  };
  return blurAlong(blurAlong(pixels, 1, size), size, 1);
}

/** Lists the pixels of a crop inside a window and outside the excluded ones. */
function listPixels(size: number, window: Window, excluded: readonly Window[] = []): Int32Array {
  const isIn = (x: number, y: number, { left, top, right, bottom }: Window) =>
    x >= left && x < right && y >= top && y < bottom;
  const pixels: number[] = [];
  for (let y = window.top; y < window.bottom; y++)
    for (let x = window.left; x < window.right; x++)
      if (!excluded.some((one) => isIn(x, y, one))) pixels.push(y * size + x);
  return Int32Array.from(pixels);
}

/**
 * Returns the highest likeness of the given pixels at a small shift, and the shift as a pixel offset.
 * @param noise squares that count as alike in both crops
 */
function findBestShift(a: Float32Array, b: Float32Array, size: number, pixels: Int32Array, noise: number) {
  let best = { likeness: 0, shift: 0 };
  for (let dy = -MAX_SHIFT; dy <= MAX_SHIFT; dy++) {
    for (let dx = -MAX_SHIFT; dx <= MAX_SHIFT; dx++) {
      const shift = dy * size + dx;
      let [shared, squares] = [0, 0];
      for (let i = 0; i < pixels.length; i++) {
        const at = pixels[i] as number;
        const [one, other] = [a[at] as number, b[at + shift] as number];
        shared += one * other;
        squares += one * one + other * other;
      }
      const likeness = (2 * shared + noise) / (squares + noise);
      if (likeness > best.likeness) best = { likeness, shift };
    }
  }
  return best;
}

/** Rank of the spot that counts, least similar first, at most at a quarter of all; those before it are chance. */
const WORST_SPOT_RANK = 25;

function findWorstSpot(
  a: Float32Array,
  b: Float32Array,
  size: number,
  { left, top, right, bottom }: Window,
  shift: number,
): number {
  const [width, height] = [right - left, bottom - top];
  const spotX = Math.min(SPOT_PIXELS, width);
  const spotY = Math.min(SPOT_PIXELS, height);
  const createBoxMean = (read: (one: number, other: number) => number) => {
    const table = new Float64Array((width + 1) * (height + 1));
    for (let y = 0; y < height; y++) {
      let row = 0;
      for (let x = 0; x < width; x++) {
        const at = (top + y) * size + left + x;
        row += read(a[at] as number, b[at + shift] as number);
        table[(y + 1) * (width + 1) + x + 1] = (table[y * (width + 1) + x + 1] as number) + row;
      }
    }
    return (x: number, y: number) => {
      const at = (column: number, line: number) => table[line * (width + 1) + column] as number;
      return (at(x + spotX, y + spotY) - at(x, y + spotY) - at(x + spotX, y) + at(x, y)) / (spotX * spotY);
    };
  };
  const shared = createBoxMean((one, other) => one * other);
  const squares = createBoxMean((one, other) => one * one + other * other);
  const spots: number[] = [];
  for (let y = 0; y + spotY <= height; y++)
    for (let x = 0; x + spotX <= width; x++)
      spots.push((2 * shared(x, y) + SPOT_NOISE) / (squares(x, y) + SPOT_NOISE));
  spots.sort((one, other) => one - other);
  const rank = Math.max(1, Math.min(WORST_SPOT_RANK, Math.floor(spots.length / 4)));
  return spots[rank - 1] ?? 0;
}
