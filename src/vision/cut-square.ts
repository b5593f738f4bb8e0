import type { Box } from '../domain/geometry.ts';
import type { RgbImage } from '../domain/photo.ts';
import type { Square } from './judge/close-up.ts';
import type { Resize } from './resize.ts';

/** What lies beyond the raster is of this grey. */
const BEYOND = 114;

/** Returns the pixels of a square of the raster at `size` by `size`; what lies beyond the raster is grey. */
export async function cutSquare(
  raster: RgbImage,
  square: Square,
  size: number,
  resize: Resize,
): Promise<Uint8Array<ArrayBuffer>> {
  const inside = clipToRaster(square, raster);
  const perPixel = size / square.side;
  const left = Math.min(size - 1, Math.max(0, Math.round((inside.x - square.x) * perPixel)));
  const top = Math.min(size - 1, Math.max(0, Math.round((inside.y - square.y) * perPixel)));
  const width = Math.max(1, Math.min(size - left, Math.round(inside.width * perPixel)));
  const height = Math.max(1, Math.min(size - top, Math.round(inside.height * perPixel)));
  const { data } = await resize(raster, inside, { width, height });
  const pixels = new Uint8Array(3 * size * size).fill(BEYOND);
  for (let row = 0; row < height; row++)
    pixels.set(data.subarray(3 * row * width, 3 * (row + 1) * width), 3 * ((top + row) * size + left));
  return pixels;
}

/** Returns the part of the square that lies in the raster, in whole pixels of the raster. */
function clipToRaster({ x, y, side }: Square, raster: RgbImage): Box {
  const left = Math.max(0, Math.min(raster.width - 1, Math.round(x)));
  const top = Math.max(0, Math.min(raster.height - 1, Math.round(y)));
  const right = Math.max(left + 1, Math.min(raster.width, Math.round(x + side)));
  const bottom = Math.max(top + 1, Math.min(raster.height, Math.round(y + side)));
  return { x: left, y: top, width: right - left, height: bottom - top };
}
