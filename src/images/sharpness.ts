import type { GreyImage } from './grey.ts';

const TILE = 32;

/**
 * How sharp a picture is: squared second differences over squared first differences. Blur takes fine detail before
 * coarse, so the figure falls with it, while contrast and brightness cancel out. Judged along rows and along columns
 * on the quarter of the tiles with the strongest edges (a smooth door says nothing about focus); the lower of the two
 * medians counts, so that motion in one direction is seen as well.
 * @returns about 0.2 to 0.8 for a photo in focus, under 0.1 for a clearly blurred one; 0 without any edge
 */
export function sharpness(image: GreyImage): number {
  return Math.min(alongAxis(image, 1), alongAxis(image, image.width));
}

function alongAxis({ data, width, height }: GreyImage, step: number): number {
  const columns = Math.floor(width / TILE);
  const rows = Math.floor(height / TILE);
  const first = new Float64Array(columns * rows);
  const second = new Float64Array(columns * rows);
  for (let y = 1; y < rows * TILE - 1; y++) {
    const tileRow = Math.floor(y / TILE) * columns;
    for (let x = 1; x < columns * TILE - 1; x++) {
      const at = y * width + x;
      const before = data[at - step] as number;
      const after = data[at + step] as number;
      const tile = tileRow + Math.floor(x / TILE);
      const slope = after - before;
      const bend = 2 * (data[at] as number) - before - after;
      (first[tile] as number) += slope * slope;
      (second[tile] as number) += bend * bend;
    }
  }
  const strongest = Array.from(first, (edges, tile) => ({ edges, ratio: (second[tile] as number) / edges }))
    .filter((tile) => tile.edges > 0)
    .sort((a, b) => b.edges - a.edges)
    .slice(0, Math.ceil((columns * rows) / 4))
    .map((tile) => tile.ratio)
    .sort((a, b) => a - b);
  return strongest[Math.floor(strongest.length / 2)] ?? 0;
}
