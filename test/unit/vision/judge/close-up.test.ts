import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { placeCloseUp, placeWithin } from '../../../../src/vision/judge/close-up.ts';

const RASTER = { width: 1000, height: 500 };

test.each([
  ['twice the longer side', { x: 400, y: 200, width: 100, height: 60 }, [350, 130, 200]],
  ['never less than 12 %', { x: 500, y: 250, width: 10, height: 10 }, [445, 195, 120]],
  ['moved inside', { x: 0, y: 440, width: 60, height: 60 }, [0, 380, 120]],
  ['beyond the raster where it must be', { x: 300, y: 100, width: 350, height: 300 }, [125, -100, 700]],
  ['no longer than the raster', { x: 100, y: 0, width: 800, height: 500 }, [0, -250, 1000]],
])('a close-up: %s', (_, box, [x, y, side]) => {
  expect(placeCloseUp(box, RASTER)).toEqual({ x, y, width: side, height: side });
});

it('shows all of every box, and says where it lies', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(share, share, share, share, (a, b, c, d) => {
      const box = {
        x: Math.min(a, b) * 999,
        y: Math.min(c, d) * 499,
        width: Math.abs(a - b) * 999 + 1,
        height: Math.abs(c - d) * 499 + 1,
      };
      const [left, top, right, bottom] = placeWithin(placeCloseUp(box, RASTER), box);
      expect(Math.min(left, top)).toBeGreaterThanOrEqual(-1e-9);
      expect(Math.max(right, bottom)).toBeLessThanOrEqual(1 + 1e-9);
      expect((right - left) * box.height).toBeCloseTo((bottom - top) * box.width, 6);
    }),
  );
});
