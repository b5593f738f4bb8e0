import type { Box, Size } from '../../geometry.ts';
import type { RgbImage } from '../../photo.ts';
import { cut, frameCut, MARGIN, SHIFT } from './cut.ts';
import { type Affine, mapPoint } from './registration.ts';

/** Minimum difference in levels of 255, above camera and JPEG noise. */
const NOISE = 4;
/** Minimum ratio of a difference to the 95th percentile of the surroundings. */
const MIN_RATIO = 2;
const MAX_AROUND = 0.95;
/** Width of the band around the box that belongs neither to the location nor to its surroundings, pixels. */
const EDGE = 6;
/** Maximum local registration error, pixels of the crop, beyond the global shift. */
const REACH = 2;
/** Minimum number of surrounding pixels. */
const MIN_AROUND = 60;
const MIN_INSIDE = 20;

const [LEFT_OUT, AROUND, INSIDE] = [0, 1, 2];
const CHANNELS = [0, 1, 2];

/**
 * Returns the share (0 to 1) of a location whose colours differ between two photos clearly more than its surroundings,
 * after equalising the light by the surroundings alone; null if these are not visible in both. If the surroundings do
 * not match either, because the location was misplaced or everything reflects something else, hardly anything differs
 * clearly.
 * @param box of the location, pixels of its own photo
 * @param model from its own photo to the other
 * @param others boxes of other findings, pixels of the own photo, excluded from the surroundings
 */
export function measureDifference(
  own: RgbImage,
  other: RgbImage,
  model: Affine,
  box: Box,
  others: readonly Box[] = [],
): number | null {
  const frame = frameCut(box, model);
  const { size } = frame;
  // If other findings cover all surroundings, they are included: a change there hides a difference but creates none.
  const zoned = [others, []]
    .map((skipped) => markZones(frame, box, skipped, own, other))
    .map((zones) => ({ around: listPixels(zones, AROUND), inside: listPixels(zones, INSIDE) }))
    .find(({ around }) => around.length >= MIN_AROUND);
  if (zoned === undefined || zoned.inside.length < MIN_INSIDE) return null;
  const { around, inside } = zoned;
  const ownCuts = CHANNELS.map((channel) => cut(own, size, frame.own, channel));
  const otherCuts = CHANNELS.map((channel) => cut(other, size, frame.other, channel));
  const [, ownGreen] = ownCuts;
  const [, otherGreen] = otherCuts;
  const shift = ownGreen && otherGreen ? findShift(ownGreen, otherGreen, around, size) : 0;
  const off = new Float32Array(size * size);
  for (const [channel, pixels] of ownCuts.entries()) {
    const shifted = shiftPixels(otherCuts[channel] as Float32Array, shift);
    addDistances(off, pixels, equaliseLight(shifted, pixels, around, size), size);
  }
  const limit = MIN_RATIO * Math.max(NOISE, takeQuantile(off, around, MAX_AROUND));
  return inside.reduce((count, at) => count + Number((off[at] as number) > limit), 0) / inside.length;
}

/** Marks the crop pixels of the location, of its surroundings, and those of neither or outside a photo. */
function markZones(
  frame: ReturnType<typeof frameCut>,
  box: Box,
  others: readonly Box[],
  own: Size,
  other: Size,
): Uint8Array {
  const { size } = frame;
  const zones = new Uint8Array(size * size);
  const fill = (window: ReturnType<typeof frame.place>, zone: number) => {
    for (let y = window.top; y < window.bottom; y++)
      zones.fill(zone, y * size + window.left, y * size + window.right);
  };
  fill({ left: MARGIN, top: MARGIN, right: size - MARGIN, bottom: size - MARGIN }, AROUND);
  for (const one of others) fill(frame.place(one, 3), LEFT_OUT);
  fill(frame.place(box, EDGE), LEFT_OUT);
  fill(frame.place(box, 0), INSIDE);
  const lies = (model: Affine, at: number, { width, height }: Size) => {
    const { x, y } = mapPoint(model, at % size, Math.floor(at / size));
    return x >= 1 && y >= 1 && x <= width - 2 && y <= height - 2;
  };
  return zones.map((zone, at) =>
    lies(frame.own.model, at, own) && lies(frame.other.model, at, other) ? zone : LEFT_OUT,
  );
}

function listPixels(zones: Uint8Array, zone: number): Int32Array {
  const pixels: number[] = [];
  for (let at = 0; at < zones.length; at++) if (zones[at] === zone) pixels.push(at);
  return Int32Array.from(pixels);
}

/** Returns the shift, as a pixel offset, with the best correlation of both surroundings. */
function findShift(own: Float32Array, other: Float32Array, around: Int32Array, size: number): number {
  let [best, most] = [0, Number.NEGATIVE_INFINITY];
  for (let dy = -SHIFT; dy <= SHIFT; dy++)
    for (let dx = -SHIFT; dx <= SHIFT; dx++) {
      const correlation = correlate(own, other, around, dy * size + dx);
      if (correlation > most) [best, most] = [dy * size + dx, correlation];
    }
  return best;
}

/** Correlates every third pixel. */
function correlate(own: Float32Array, other: Float32Array, pixels: Int32Array, shift: number): number {
  let [count, a, b, ab, aa, bb] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < pixels.length; i += 3) {
    const at = pixels[i] as number;
    const [one, two] = [own[at] as number, other[at + shift] as number];
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
  return pixels.map((_, at) => pixels[Math.min(pixels.length - 1, Math.max(0, at + shift))] as number);
}

/** Quantile of differing surroundings kept for the light fit; the rest is excluded. */
const KEPT_QUANTILE = 0.75;
const ROUNDS = 4;

/** Matches the light of the target with gain, offset and a linear gradient, fitted to the surroundings. */
function equaliseLight(
  pixels: Float32Array,
  target: Float32Array,
  around: Int32Array,
  size: number,
): Float32Array {
  const terms = (at: number) => [
    (pixels[at] as number) / 64,
    1,
    (at % size) / size - 0.5,
    Math.floor(at / size) / size - 0.5,
  ];
  const sample = around.filter((_, i) => i % 5 === 0);
  let kept: Int32Array = sample;
  let light = [64, 0, 0, 0];
  const lit = (at: number) => terms(at).reduce((sum, term, i) => sum + term * (light[i] as number), 0);
  for (let round = 0; round < ROUNDS; round++) {
    light = fitLinear(kept, terms, target);
    // A photo is at most twice as bright as another; a larger gain is a spurious fit.
    light[0] = Math.min(128, Math.max(32, light[0] as number));
    const errors = Float32Array.from(sample, (at) => Math.abs((target[at] as number) - lit(at)));
    const most = errors.slice().sort()[Math.floor(KEPT_QUANTILE * errors.length)] ?? 0;
    kept = sample.filter((_, i) => (errors[i] as number) <= most + 0.5);
  }
  return pixels.map((_, at) => lit(at));
}

/** Fits a linear model to a target by least squares (normal equations, Gauss-Jordan). */
function fitLinear(
  pixels: Int32Array,
  terms: (at: number) => readonly number[],
  target: Float32Array,
): number[] {
  const rows = Array.from({ length: 4 }, (_, i) => Array.from({ length: 5 }, (_, j) => (i === j ? 1e-3 : 0)));
  for (const at of pixels) {
    const values = [...terms(at), target[at] as number];
    for (const [i, row] of rows.entries())
      for (let j = 0; j < row.length; j++)
        (row[j] as number) += (values[i] as number) * (values[j] as number);
  }
  for (const [i, pivot] of rows.entries())
    for (const [k, row] of rows.entries()) {
      if (k === i) continue;
      const by = (row[i] as number) / (pivot[i] as number);
      for (let j = i; j < row.length; j++) (row[j] as number) -= by * (pivot[j] as number);
    }
  return rows.map((row, i) => (row[4] as number) / (row[i] as number));
}

/** Raises `off` to the distance of each pixel from the value range within reach in the other crop. */
function addDistances(off: Float32Array, own: Float32Array, other: Float32Array, size: number): void {
  const [ownRange, otherRange] = [own, other].map((pixels) => ({
    least: takeExtreme(pixels, size, Math.min),
    most: takeExtreme(pixels, size, Math.max),
  }));
  if (!ownRange || !otherRange) return;
  for (let at = 0; at < off.length; at++) {
    const [one, two] = [own[at] as number, other[at] as number];
    off[at] = Math.max(
      off[at] as number,
      one - (otherRange.most[at] as number),
      (otherRange.least[at] as number) - one,
      two - (ownRange.most[at] as number),
      (ownRange.least[at] as number) - two,
    );
  }
}

function takeExtreme(
  pixels: Float32Array,
  size: number,
  pick: (a: number, b: number) => number,
): Float32Array {
  const along = (source: Float32Array, step: number) =>
    source.map((value, at) => {
      let best = value;
      for (let k = -REACH; k <= REACH; k++) best = pick(best, source[at + k * step] ?? value);
      return best;
    });
  return along(along(pixels, 1), size);
}

function takeQuantile(values: Float32Array, pixels: Int32Array, share: number): number {
  const sorted = Float32Array.from(pixels, (at) => values[at] as number).sort();
  return sorted[Math.floor(share * sorted.length)] ?? 0;
}
