import { describe, expect, it } from 'vitest';
import { resizeRgb } from '../../../../src/images/read/resize-rgb.ts';
import { readPixel } from '../pictures.ts';

/** 40 x 20: red left half, blue right half. */
const halves = {
  data: Uint8Array.from({ length: 40 * 20 * 3 }, (_, i) => {
    const left = Math.floor(i / 3) % 40 < 20;
    return i % 3 === (left ? 0 : 2) ? 200 : 0;
  }),
  width: 40,
  height: 20,
};

describe('resizeRgb', () => {
  it('stretches the whole to the size asked for', async () => {
    const out = await resizeRgb(halves, { x: 0, y: 0, width: 40, height: 20 }, { width: 8, height: 16 });
    expect([out.width, out.height, out.data.length]).toEqual([8, 16, 8 * 16 * 3]);
    expect(readPixel(out, 1, 8)).toEqual([200, 0, 0]);
    expect(readPixel(out, 6, 8)).toEqual([0, 0, 200]);
  });

  it('cuts out before stretching, sides not bleeding in', async () => {
    const out = await resizeRgb(halves, { x: 20, y: 5, width: 20, height: 10 }, { width: 64, height: 64 });
    for (const x of [0, 31, 63]) expect(readPixel(out, x, 32)).toEqual([0, 0, 200]);
  });

  it.each([
    { x: -5, y: -5, width: 100, height: 100 },
    { x: 39.4, y: 19.2, width: 0.1, height: 0.1 },
    { x: 12.5, y: 3.2, width: 7.7, height: 4.1 },
  ])('brings $x, $y, $width, $height to whole pixels inside', async (box) => {
    const out = await resizeRgb(halves, box, { width: 4, height: 4 });
    expect(out.data.length).toBe(48);
  });
});
