import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Box,
  clampToPixels,
  closeUpRegion,
  iou,
  isSamePlace,
  touchesBorder,
} from '../../../src/domain/geometry.ts';

const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });

describe('whether two boxes are one place', () => {
  test.each<[string, Box, Box, boolean]>([
    ['the same box', box(0, 0, 10, 10), box(0, 0, 10, 10), true],
    ['two thirds shared', box(0, 0, 10, 10), box(2, 0, 10, 10), true],
    ['a corner shared', box(0, 0, 10, 10), box(7, 7, 10, 10), false],
    ['one inside the other, a ninth as large', box(0, 0, 30, 30), box(5, 5, 10, 10), true],
    ['one inside the other, a sixteenth as large', box(0, 0, 40, 40), box(5, 5, 10, 10), false],
    ['next to each other', box(0, 0, 10, 10), box(10, 0, 10, 10), false],
    ['no area', box(0, 0, 0, 0), box(0, 0, 0, 0), false],
  ])('%s', (_, a, b, wanted) => {
    expect(isSamePlace(a, b)).toBe(wanted);
    expect(isSamePlace(b, a)).toBe(wanted);
  });
});

test.each<[string, Box, boolean]>([
  ['well inside', box(3, 3, 10, 10), false],
  ['at the left', box(2, 30, 10, 10), true],
  ['at the top', box(30, 2, 10, 10), true],
  ['two pixels from the right', box(88, 30, 10, 10), true],
  ['three pixels from the bottom', box(30, 37, 10, 10), false],
])('a box touches the border of a picture of 100 by 50: %s', (_, one, wanted) => {
  expect(touchesBorder(one, { width: 100, height: 50 })).toBe(wanted);
});

const anywhere = fc.double({ min: -500, max: 5000, noNaN: true });
const length = fc.double({ min: 0, max: 5000, noNaN: true });
const anyBox = fc.record({ x: anywhere, y: anywhere, width: length, height: length });

test('a clamped box lies inside the image in whole pixels and holds at least one', () => {
  const side = fc.integer({ min: 1, max: 6000 });
  fc.assert(
    fc.property(anyBox, side, side, (any, width, height) => {
      const inside = clampToPixels(any, { width, height });
      expect(Object.values(inside).every(Number.isInteger)).toBe(true);
      expect(Math.min(inside.x, inside.y, inside.width - 1, inside.height - 1)).toBeGreaterThanOrEqual(0);
      expect(inside.x + inside.width).toBeLessThanOrEqual(width);
      expect(inside.y + inside.height).toBeLessThanOrEqual(height);
    }),
  );
});

test('overlap is symmetric, within 0 and 1, and whole for a box with itself', () => {
  fc.assert(
    fc.property(anyBox, anyBox, (a, b) => {
      expect(iou(a, b)).toBeCloseTo(iou(b, a), 9);
      expect(iou(a, b)).toBeGreaterThanOrEqual(0);
      expect(iou(a, b)).toBeLessThanOrEqual(1 + 1e-9);
      if (a.width > 1e-3 && a.height > 1e-3) expect(iou(a, a)).toBeCloseTo(1, 6);
    }),
  );
});

test('two boxes of 10 x 10 that share 5 x 10 overlap by a third', () => {
  expect(iou(box(0, 0, 10, 10), box(5, 0, 10, 10))).toBeCloseTo(1 / 3);
});

test.each([
  ['a wide find: half its width on each side', box(600, 550, 400, 40), box(400, 270, 800, 600)],
  ['a high find: half its height on each side', box(780, 450, 40, 300), box(400, 300, 800, 600)],
  ['a small find: a ninth of the photo', box(800, 600, 10, 10), box(686, 516, 238, 178)],
  ['a find in a corner: inside the photo', box(0, 0, 300, 100), box(0, 0, 600, 450)],
  ['a find as large as the photo: all of it', box(0, 0, 1600, 1200), box(0, 0, 1600, 1200)],
])('a close-up shows %s', (_, found, region) => {
  expect(closeUpRegion(found, { width: 1600, height: 1200 })).toEqual(region);
});
