import { expect, it, test } from 'vitest';
import { resizeRgb } from '../../../src/images/read/resize-rgb.ts';
import { cutRegion } from '../../../src/vision/model-calls.ts';
import { draw } from './pictures.ts';

/** The left half of the raster is red, the right half blue. */
const RASTER = draw({ width: 40, height: 20 }, [
  { color: 'red', box: { x: 0, y: 0, width: 20, height: 20 } },
  { color: 'blue', box: { x: 20, y: 0, width: 20, height: 20 } },
]);

/** The region, stretched to a square, as rows of letters; a dot is what lies beyond the raster. */
async function rowsOf(x: number, y: number, width: number, height = width): Promise<string[]> {
  const box = { x, y, width, height };
  const square = await cutRegion(RASTER, box, { width: 4, height: 4 }, resizeRgb);
  const letters = Array.from({ length: 16 }, (_, pixel) => {
    const [red = 0, , blue = 0] = square.subarray(3 * pixel);
    return red === blue ? '.' : red > blue ? 'r' : 'b';
  });
  return [0, 4, 8, 12].map((from) => letters.slice(from, from + 4).join(''));
}

it('stretches a region', async () => {
  expect(await rowsOf(4, 0, 36, 6)).toEqual(Array(4).fill('rrbb'));
});

test.each([
  ['inside', 10, 0, 20, ['rrbb', 'rrbb', 'rrbb', 'rrbb']],
  ['above and below it is gray', 0, -10, 40, ['....', 'rrbb', 'rrbb', '....']],
  ['at the right edge', 30, 0, 10, ['bbbb', 'bbbb', 'bbbb', 'bbbb']],
  ['beyond the lower edge: its last row', 0, 25, 8, ['rrrr', '....', '....', '....']],
  ['smaller than a pixel', 5.2, 5.2, 0.2, ['rrrr', 'rrrr', 'rrrr', 'rrrr']],
])('%s', async (_, x, y, side, rows) => {
  expect(await rowsOf(x, y, side)).toEqual(rows);
});
