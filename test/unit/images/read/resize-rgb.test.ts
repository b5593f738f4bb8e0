import { expect, it } from 'vitest';
import { resizeRgb } from '../../../../src/images/read/resize-rgb.ts';
import { readPixel } from '../pictures.ts';

const [RED, BLUE] = [
  [200, 0, 0],
  [0, 0, 200],
];
/** 40 x 20: red left half, blue right half. */
const halves = {
  data: Uint8Array.from({ length: 40 * 20 * 3 }, (_, i) => {
    const left = Math.floor(i / 3) % 40 < 20;
    return i % 3 === (left ? 0 : 2) ? 200 : 0;
  }),
  width: 40,
  height: 20,
};

it.each([
  ['stretches the whole', { x: 0, y: 0, width: 40, height: 20 }, RED],
  // The sides do not bleed in.
  ['crops before stretching', { x: 20, y: 5, width: 20, height: 10 }, BLUE],
  ['brings a box to whole pixels', { x: 39.4, y: 19.2, width: 0.1, height: 0.1 }, BLUE],
  ['keeps to the picture', { x: -5, y: -5, width: 100, height: 100 }, RED],
])('%s', async (_name, box, left) => {
  const out = await resizeRgb(halves, box, { width: 8, height: 16 });
  expect([out.width, out.height, out.data.length]).toEqual([8, 16, 8 * 16 * 3]);
  expect([readPixel(out, 0, 8), readPixel(out, 7, 8)]).toEqual([left, BLUE]);
});
