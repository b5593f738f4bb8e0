import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Box, intersection } from '../../../src/domain/geometry.ts';
import { layOutLabels } from '../../../src/domain/label-layout.ts';

const PICTURE = { width: 1280, height: 720 };
const label = { width: 200, height: 30 };
/** Boxes of the labels. */
const place = (...args: Parameters<typeof layOutLabels>) => layOutLabels(...args).map((one) => one.label);
const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });

const anyTarget = fc
  .tuple(fc.nat(1279), fc.nat(719), fc.integer({ min: 1, max: 1280 }), fc.integer({ min: 1, max: 720 }))
  .map(([x, y, width, height]) => box(x, y, Math.min(width, 1280 - x), Math.min(height, 720 - y)));

it.each([
  ['above its box', box(300, 300, 250, 90), box(300, 270, 200, 30)],
  ['below where there is no room', box(300, 5, 250, 90), box(300, 95, 200, 30)],
  ['inside where the box fills the picture', box(0, 0, 1280, 720), box(0, 0, 200, 30)],
])('puts a label %s', (_, target, placed) => {
  expect(place([{ target, size: label }], PICTURE)).toEqual([placed]);
});

it('keeps labels of one and the same box apart', () => {
  const requests = Array.from({ length: 12 }, () => ({ target: box(600, 300, 20, 20), size: label }));
  const placed = place(requests, PICTURE);
  for (const [i, one] of placed.entries())
    for (const other of placed.slice(0, i)) expect(intersection(one, other)).toBe(0);
});

it('law: every label lies in the picture, at its own size, and up to twenty never touch', () => {
  fc.assert(
    fc.property(fc.array(anyTarget, { minLength: 1, maxLength: 20 }), (targets) => {
      const requests = targets.map((target) => ({ target, size: label }));
      const placed = place(requests, PICTURE);
      expect(placed).toHaveLength(targets.length);
      for (const [i, one] of placed.entries()) {
        expect(one).toMatchObject(label);
        expect(one.x >= 0 && one.y >= 0 && one.x + 200 <= 1280 && one.y + 30 <= 720).toBe(true);
        for (const other of placed.slice(0, i)) expect(intersection(one, other)).toBe(0);
      }
    }),
    { numRuns: 30, seed: 7 },
  );
});
