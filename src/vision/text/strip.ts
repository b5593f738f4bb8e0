import { clamp } from '../../domain/geometry.ts';
import type { RgbImage } from '../../domain/photo.ts';
import { distance, type Point, type Quad } from '../../domain/quad.ts';

/** Height of the recognition model's input, pixels. */
export const STRIP_HEIGHT = 48;
/** Limits of a strip's width, pixels: shorter text is stretched to the minimum, longer text compressed to the maximum. */
const MIN_WIDTH = 48;
const MAX_WIDTH = 800;

/** Straightens a quadrilateral of text to a strip of `STRIP_HEIGHT`, sampled bilinearly. */
export function straighten(raster: RgbImage, quad: Quad): RgbImage {
  const [a, b, c, d] = quad;
  const along = (distance(a, b) + distance(d, c)) / 2;
  const across = Math.max(1, (distance(a, d) + distance(b, c)) / 2);
  const width = Math.round(clamp((STRIP_HEIGHT * along) / across, MIN_WIDTH, MAX_WIDTH));
  const data = new Uint8Array(3 * width * STRIP_HEIGHT);
  const mix = (from: Point, to: Point, share: number): Point => ({
    x: from.x + (to.x - from.x) * share,
    y: from.y + (to.y - from.y) * share,
  });
  for (let column = 0; column < width; column++) {
    const [top, bottom] = [mix(a, b, (column + 0.5) / width), mix(d, c, (column + 0.5) / width)];
    for (let row = 0; row < STRIP_HEIGHT; row++)
      sampleInto(data, 3 * (row * width + column), raster, mix(top, bottom, (row + 0.5) / STRIP_HEIGHT));
  }
  return { data, width, height: STRIP_HEIGHT };
}

function sampleInto(
  target: Uint8Array,
  at: number,
  { data, width, height }: RgbImage,
  { x, y }: Point,
): void {
  const left = clamp(x - 0.5, 0, width - 1);
  const top = clamp(y - 0.5, 0, height - 1);
  const [column, row] = [Math.floor(left), Math.floor(top)];
  const [right, below] = [Math.min(width - 1, column + 1), Math.min(height - 1, row + 1)];
  const [fx, fy] = [left - column, top - row];
  for (let channel = 0; channel < 3; channel++) {
    const value = (px: number, py: number) => data[3 * (py * width + px) + channel] as number;
    const upper = value(column, row) * (1 - fx) + value(right, row) * fx;
    const lower = value(column, below) * (1 - fx) + value(right, below) * fx;
    target[at + channel] = Math.round(upper * (1 - fy) + lower * fy);
  }
}
