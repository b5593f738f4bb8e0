import { type Box, clampToPixels, type Size } from '../../domain/geometry.ts';

/** How large a cut around a candidate is: so many times its box, but at least this share of the photo. */
export interface Zoom {
  readonly times: number;
  readonly leastShare: number;
}

/** The three distances from which each candidate is looked at again, nearest first. */
export const ZOOMS: readonly [Zoom, Zoom, Zoom] = [
  { times: 1.6, leastShare: 0.15 },
  { times: 2.5, leastShare: 0.25 },
  { times: 4, leastShare: 0.4 },
];

/**
 * The part of a raster that shows `box` with its surroundings: of the raster's own shape, so that it is squeezed into
 * the model's input as the whole photo is, and moved inward where it would reach over the edge. Whole pixels.
 */
export function cutAround(box: Box, raster: Size, { times, leastShare }: Zoom): Box {
  const wanted = Math.max(box.width / raster.width, box.height / raster.height) * times;
  const share = Math.min(1, Math.max(wanted, leastShare));
  const [width, height] = [share * raster.width, share * raster.height];
  const inward = (start: number, room: number) => Math.min(Math.max(0, start), room);
  return clampToPixels(
    {
      x: inward(box.x + (box.width - width) / 2, raster.width - width),
      y: inward(box.y + (box.height - height) / 2, raster.height - height),
      width,
      height,
    },
    raster,
  );
}

/** The mirror image (left and right swapped) of RGB pixels, three bytes each, row by row. */
export function mirrored(rgb: Uint8Array, width: number): Uint8Array {
  const flipped = new Uint8Array(rgb.length);
  for (let row = 0; row < rgb.length; row += 3 * width) {
    for (let x = 0; x < width; x++) {
      const from = row + 3 * x;
      const to = row + 3 * (width - 1 - x);
      flipped[to] = rgb[from] as number;
      flipped[to + 1] = rgb[from + 1] as number;
      flipped[to + 2] = rgb[from + 2] as number;
    }
  }
  return flipped;
}
