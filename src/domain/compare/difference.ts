import { type Box, clamp, type Size } from '../geometry.ts';
import type { RgbImage } from '../photo.ts';
import { createCropFrame, MARGIN, MAX_SHIFT, sampleCrop } from './crop.ts';
import { type Affine, mapPoint } from './registration.ts';

/** Camera and JPEG noise, levels of 255. */
const NOISE = 4;
/** Minimum ratio of a difference to the noise and to this quantile of the surroundings' differences. */
const MIN_RATIO = 2;
const RING_QUANTILE = 0.95;
/** Width of the band around the box that belongs neither to the place nor to its surroundings, pixels. */
const EDGE_BAND_PIXELS = 6;
/** Maximum local registration error, pixels of the crop, beyond the global shift. */
const MAX_ERROR = 2;
/** Minimum number of surrounding pixels. */
const MIN_RING_PIXELS = 60;
const MIN_PLACE_PIXELS = 20;

const [EXCLUDED, RING, PLACE] = [0, 1, 2];
const CHANNELS = [0, 1, 2];

/**
 * Returns the share (0 to 1) of a place whose colors differ clearly more between two photos than its surroundings
 * do, after equalizing the light by the surroundings alone; null if too little of either is visible in both. If the
 * surroundings do not match either, because of misregistration or changing reflections, hardly anything differs clearly.
 * @param box of the place, pixels of the source photo
 * @param model from the source photo to the target
 * @param otherBoxes boxes of other findings, pixels of the source photo, excluded from the surroundings
 */
export function measureDifference(
  source: RgbImage,
  target: RgbImage,
  model: Affine,
  box: Box,
  otherBoxes: readonly Box[] = [],
): number | null {
  const frame = createCropFrame(box, model);
  const { size } = frame;
  // If other findings cover all surroundings, they are included: a change there hides a difference but creates none.
  const pixelZones = [otherBoxes, []]
    .map((excluded) => markZones(frame, box, excluded, source, target))
    .map((zones) => ({ ring: listPixels(zones, RING), place: listPixels(zones, PLACE) }))
    .find(({ ring }) => ring.length >= MIN_RING_PIXELS);
  if (pixelZones === undefined || pixelZones.place.length < MIN_PLACE_PIXELS) return null;
  const { ring, place } = pixelZones;
  const sourceCrops = CHANNELS.map((channel) => sampleCrop(source, size, frame.source, channel));
  const targetCrops = CHANNELS.map((channel) => sampleCrop(target, size, frame.target, channel));
  const [sourceGreen, targetGreen] = [sourceCrops[1] as Float32Array, targetCrops[1] as Float32Array];
  const shift = findShift(sourceGreen, targetGreen, ring, size);
  const errors = new Float32Array(size * size);
  for (const [channel, pixels] of sourceCrops.entries()) {
    const shifted = shiftPixels(targetCrops[channel] as Float32Array, shift);
    addDistances(errors, pixels, equalizeLight(shifted, pixels, ring, size), size);
  }
  const ringErrors = Float32Array.from(ring, (at) => errors[at] as number);
  const limit = MIN_RATIO * Math.max(NOISE, computeQuantile(ringErrors, RING_QUANTILE));
  return place.reduce((count, at) => count + Number((errors[at] as number) > limit), 0) / place.length;
}

/** Marks the crop pixels of the place and of its surroundings, excluding those in neither zone or outside a photo. */
function markZones(
  frame: ReturnType<typeof createCropFrame>,
  box: Box,
  otherBoxes: readonly Box[],
  source: Size,
  target: Size,
): Uint8Array {
  const { size } = frame;
  const zones = new Uint8Array(size * size);
  const fill = (window: ReturnType<typeof frame.toWindow>, zone: number) => {
    for (let y = window.top; y < window.bottom; y++)
      zones.fill(zone, y * size + window.left, y * size + window.right);
  };
  fill({ left: MARGIN, top: MARGIN, right: size - MARGIN, bottom: size - MARGIN }, RING);
  for (const otherBox of otherBoxes) fill(frame.toWindow(otherBox, 3), EXCLUDED);
  fill(frame.toWindow(box, EDGE_BAND_PIXELS), EXCLUDED);
  fill(frame.toWindow(box, 0), PLACE);
  const lies = (model: Affine, at: number, { width, height }: Size) => {
    const { x, y } = mapPoint(model, at % size, Math.floor(at / size));
    return x >= 1 && y >= 1 && x <= width - 2 && y <= height - 2;
  };
  return zones.map((zone, at) =>
    lies(frame.source.model, at, source) && lies(frame.target.model, at, target) ? zone : EXCLUDED,
  );
}

function listPixels(zones: Uint8Array, zone: number): Int32Array {
  const pixels: number[] = [];
  for (let at = 0; at < zones.length; at++) if (zones[at] === zone) pixels.push(at);
  return Int32Array.from(pixels);
}

/** Returns the shift, as a pixel offset, at which the surroundings correlate best. */
function findShift(source: Float32Array, target: Float32Array, ring: Int32Array, size: number): number {
  let [best, highest] = [0, Number.NEGATIVE_INFINITY];
  for (let dy = -MAX_SHIFT; dy <= MAX_SHIFT; dy++)
    for (let dx = -MAX_SHIFT; dx <= MAX_SHIFT; dx++) {
      const correlation = correlate(source, target, ring, dy * size + dx);
      if (correlation > highest) [best, highest] = [dy * size + dx, correlation];
    }
  return best;
}

/** Correlates every third pixel. */
function correlate(source: Float32Array, target: Float32Array, pixels: Int32Array, shift: number): number {
  let [count, a, b, ab, aa, bb] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < pixels.length; i += 3) {
    const at = pixels[i] as number;
    const [one, two] = [source[at] as number, target[at + shift] as number];
    count++;
    a += one;
    b += two;
    ab += one * two;
    aa += one * one;
    bb += two * two;
  }
  return (count * ab - a * b) / Math.sqrt((count * aa - a * a) * (count * bb - b * b) + 1);
}

function shiftPixels(pixels: Float32Array, shift: number): Float32Array {
  return pixels.map((_, at) => pixels[clamp(at + shift, 0, pixels.length - 1)] as number);
}

/** Share of the surrounding pixels, best-fitting first, that is kept for the fit of the light. */
const INLIER_QUANTILE = 0.75;
const FIT_ROUNDS = 4;
/** Levels of 255 per unit of the brightness term, which brings it to the scale of the other terms. */
const LEVELS_PER_UNIT = 64;

/** Returns pixels in the light of a reference: gain, offset and a linear gradient, fitted to the surroundings. */
function equalizeLight(
  pixels: Float32Array,
  reference: Float32Array,
  ring: Int32Array,
  size: number,
): Float32Array {
  const listTerms = (at: number) => [
    (pixels[at] as number) / LEVELS_PER_UNIT,
    1,
    (at % size) / size - 0.5,
    Math.floor(at / size) / size - 0.5,
  ];
  const fitLight = (inliers: Int32Array) => {
    const [gain, ...others] = fitLinear(inliers, listTerms, reference);
    // A photo is at most twice as bright as another; a larger gain is a spurious fit.
    return [clamp(gain as number, LEVELS_PER_UNIT / 2, LEVELS_PER_UNIT * 2), ...others];
  };
  const sample = ring.filter((_, i) => i % 5 === 0);
  let light = fitLight(sample);
  const computeLit = (at: number) =>
    listTerms(at).reduce((sum, term, i) => sum + term * (light[i] as number), 0);
  for (let round = 1; round < FIT_ROUNDS; round++) {
    const errors = Float32Array.from(sample, (at) => Math.abs((reference[at] as number) - computeLit(at)));
    const maxError = computeQuantile(errors, INLIER_QUANTILE) + 0.5;
    light = fitLight(sample.filter((_, i) => (errors[i] as number) <= maxError));
  }
  return pixels.map((_, at) => computeLit(at));
}

/** Fits a linear model to the reference by least squares (normal equations, Gauss-Jordan); four coefficients. */
function fitLinear(
  pixels: Int32Array,
  listTerms: (at: number) => readonly number[],
  reference: Float32Array,
): number[] {
  const rows = Array.from({ length: 4 }, (_, i) => Array.from({ length: 5 }, (_, j) => (i === j ? 1e-3 : 0)));
  for (const at of pixels) {
    const values = [...listTerms(at), reference[at] as number];
    for (const [i, row] of rows.entries())
      for (let j = 0; j < row.length; j++)
        (row[j] as number) += (values[i] as number) * (values[j] as number);
  }
  for (const [i, pivot] of rows.entries())
    for (const [k, row] of rows.entries()) {
      if (k === i) continue;
      const factor = (row[i] as number) / (pivot[i] as number);
      for (let j = i; j < row.length; j++) (row[j] as number) -= factor * (pivot[j] as number);
    }
  return rows.map((row, i) => (row[4] as number) / (row[i] as number));
}

/** Raises `errors` to the distance of each pixel from the value range within reach in the other crop. */
function addDistances(errors: Float32Array, source: Float32Array, target: Float32Array, size: number): void {
  const [sourceRange, targetRange] = [measureRange(source, size), measureRange(target, size)];
  for (let at = 0; at < errors.length; at++) {
    const [one, two] = [source[at] as number, target[at] as number];
    errors[at] = Math.max(
      errors[at] as number,
      one - (targetRange.most[at] as number),
      (targetRange.least[at] as number) - one,
      two - (sourceRange.most[at] as number),
      (sourceRange.least[at] as number) - two,
    );
  }
}

/** Returns the least and the highest value within reach of each pixel. */
function measureRange(pixels: Float32Array, size: number) {
  const filter = (isMost: boolean) => filterExtreme(filterExtreme(pixels, 1, isMost), size, isMost);
  return { least: filter(false), most: filter(true) };
}

function filterExtreme(pixels: Float32Array, step: number, isMost: boolean): Float32Array {
  const best = pixels.slice();
  for (let k = -MAX_ERROR; k <= MAX_ERROR; k++) {
    const end = Math.min(pixels.length, pixels.length - k * step);
    for (let at = Math.max(0, -k * step); at < end; at++) {
      const other = pixels[at + k * step] as number;
      if (other > (best[at] as number) === isMost) best[at] = other;
    }
  }
  return best;
}

function computeQuantile(values: Float32Array, share: number): number {
  return values.toSorted()[Math.floor(share * values.length)] ?? 0;
}
