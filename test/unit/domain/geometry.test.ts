import { describe, expect, test } from 'vitest';
import { type Box, isSamePlace, touchesBorder } from '../../../src/domain/geometry.ts';

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
  ['beyond the bottom', box(30, 45, 10, 10), true],
])('a box touches the border of a picture of 100 by 50: %s', (_, one, wanted) => {
  expect(touchesBorder(one, { width: 100, height: 50 })).toBe(wanted);
});
