import type { RgbImage } from '../../domain/photo.ts';
import { openPixels, readPixels } from '../sharp.ts';

const COLUMNS = 9;
const ROWS = 8;

/**
 * Computes the 64-bit difference hash (dHash) of a photo, reduced to 9 x 8 gray cells: one bit per cell that is darker
 * than its right neighbor, row by row from the top left. Scaling, recompression and brightness changes affect few bits.
 */
export async function computePerceptualHash(raster: RgbImage): Promise<bigint> {
  const cells = openPixels(raster).resize({ width: COLUMNS, height: ROWS, fit: 'fill', kernel: 'cubic' });
  const { data: grays } = await readPixels(cells.toColourspace('b-w'));
  let hash = 0n;
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column + 1 < COLUMNS; column++) {
      const at = row * COLUMNS + column;
      hash = (hash << 1n) | ((grays[at] ?? 0) < (grays[at + 1] ?? 0) ? 1n : 0n);
    }
  }
  return hash;
}
