import { expect, test } from 'vitest';
import { cutRegion } from '../../../src/vision/model-calls.ts';
import { draw, nearest } from './pictures.ts';

/** The left half of the raster is red, the right half blue. */
const RASTER = draw({ width: 40, height: 20 }, [
  { color: 'red', box: { x: 0, y: 0, width: 20, height: 20 } },
  { color: 'blue', box: { x: 20, y: 0, width: 20, height: 20 } },
]);
const NAMES = { '255,0,0': 'r', '0,0,255': 'b', '114,114,114': '.' } as Record<string, string>;

/** The square as rows of letters; a dot is what lies beyond the raster. */
async function rowsOf(x: number, y: number, side: number): Promise<string[]> {
  const size = 4;
  const square = await cutRegion(
    RASTER,
    { x, y, width: side, height: side },
    { width: size, height: size },
    nearest,
  );
  const at = (pixel: number) => NAMES[square.subarray(3 * pixel, 3 * pixel + 3).join()] ?? '?';
  return Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (__, column) => at(row * size + column)).join(''),
  );
}

test.each([
  ['inside', 10, 0, 20, ['rrbb', 'rrbb', 'rrbb', 'rrbb']],
  ['above and below it is gray', 0, -10, 40, ['....', 'rrbb', 'rrbb', '....']],
  ['at the right edge', 30, 0, 10, ['bbbb', 'bbbb', 'bbbb', 'bbbb']],
  ['beyond the lower edge: its last row', 0, 25, 8, ['rrrr', '....', '....', '....']],
  ['smaller than a pixel', 5.2, 5.2, 0.2, ['rrrr', 'rrrr', 'rrrr', 'rrrr']],
])('%s', async (_, x, y, side, rows) => {
  expect(await rowsOf(x, y, side)).toEqual(rows);
});
