import type { Box } from '../../geometry.ts';
import type { GreyImage } from '../../photo.ts';
import { createCropFrame, sampleCrop, type Window } from './crop.ts';
import type { Affine } from './registration.ts';

/** Distance in crop pixels of the second difference, which fine structure raises and smooth reflections do not. */
const STEP = 2;
/** Band around the box that belongs neither to the location nor to its surroundings, crop pixels. */
const EDGE_BAND = 6;
const QUANTILE = 0.97;
/** Camera and JPEG noise in grey levels. */
const NOISE_LEVELS = 2;

/** A displacement in pixels of a photo. */
export interface Shift {
  readonly x: number;
  readonly y: number;
}

/** How far fine structure of a location stands out from its surroundings in each photo, log ratio; 0 if it does not. */
export interface Contrasts {
  readonly source: number;
  readonly target: number;
}

/**
 * Measures how far a location stands out from its surroundings. Each photo is measured in itself, so their light may
 * differ.
 * @param box of the location, pixels of the source photo
 * @param model from the source photo to the target
 * @param shifts of the location in the target photo, for its error; the one at which it stands out most counts
 */
export function measureContrasts(
  source: GreyImage,
  target: GreyImage,
  model: Affine,
  box: Box,
  shifts: readonly Shift[],
): Contrasts {
  const { size, source: from, target: to, toWindow } = createCropFrame(box, model);
  const window = toWindow(box, EDGE_BAND / 3);
  const [a, b, c, d, e, f] = to.model;
  const targetContrasts = shifts.map(({ x, y }) =>
    computeContrast(sampleCrop(target, size, { ...to, model: [a, b, c + x, d, e, f + y] }), size, window),
  );
  return {
    source: computeContrast(sampleCrop(source, size, from), size, window),
    target: Math.max(...targetContrasts),
  };
}

function computeContrast(pixels: Float32Array, size: number, { left, top, right, bottom }: Window): number {
  const inside: number[] = [];
  const around: number[] = [];
  for (let y = STEP; y < size - STEP; y++)
    for (let x = STEP; x < size - STEP; x++) {
      const outside = Math.max(left - x, x - right, top - y, y - bottom);
      if (outside > 0 && outside <= EDGE_BAND) continue;
      const at = y * size + x;
      const neighbours = [at - STEP, at + STEP, at - STEP * size, at + STEP * size];
      const mean = neighbours.reduce((sum, one) => sum + (pixels[one] as number), 0) / 4;
      (outside > 0 ? around : inside).push(4 * Math.abs((pixels[at] as number) - mean));
    }
  return Math.log((computeQuantile(inside) + NOISE_LEVELS) / (computeQuantile(around) + NOISE_LEVELS));
}

function computeQuantile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(QUANTILE * (values.length - 1))] ?? 0;
}
