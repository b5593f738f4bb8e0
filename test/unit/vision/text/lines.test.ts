import { describe, expect, it } from 'vitest';
import { boundsOf } from '../../../../src/domain/quad.ts';
import { encloseLine, joinRow, listLines, mayContinue, spanLine } from '../../../../src/vision/text/lines.ts';

const SIZE = { width: 200, height: 100 };

/** Heat of upright rectangles, each [left, top, right, bottom]. */
function heatOf(...boxes: readonly (readonly [number, number, number, number])[]): Uint8Array {
  const heat = new Uint8Array(SIZE.width * SIZE.height);
  for (const [left, top, right, bottom] of boxes)
    for (let y = top; y < bottom; y++) heat.fill(230, y * SIZE.width + left, y * SIZE.width + right);
  return heat;
}

describe('the row of a plate', () => {
  it.each([
    ['the groups of one row', heatOf([20, 40, 60, 60], [75, 41, 120, 61], [140, 42, 170, 60]), [20, 170]],
    ['not the dealer below', heatOf([20, 30, 90, 60], [20, 70, 160, 78]), [20, 90]],
    ['not larger print across it', heatOf([20, 40, 100, 60], [110, 10, 126, 70]), [20, 100]],
  ])('has %s', (_, heat, [left = 0, right = 0]) => {
    const { x, width } = boundsOf(joinRow(listLines(heat, SIZE)) ?? []);
    expect(Math.abs(x - left)).toBeLessThanOrEqual(1);
    expect(Math.abs(x + width - right)).toBeLessThanOrEqual(1);
  });

  it('is null without text', () => {
    expect(joinRow(listLines(heatOf(), SIZE))).toBeNull();
  });
});

it.each([
  ['in the middle', heatOf([60, 40, 140, 60]), false],
  ['near the right side', heatOf([60, 40, 194, 60]), true],
  ['near the left side', heatOf([4, 40, 140, 60]), true],
  ['near the upper side', heatOf([60, 2, 140, 22]), false],
])('a row %s may go on beyond the picture', (_, heat, isExpected) => {
  expect(mayContinue(joinRow(listLines(heat, SIZE)) ?? [], { x: 0, y: 0, ...SIZE })).toBe(isExpected);
});

describe('the quadrilateral of a line', () => {
  const wedge = [
    { x: 20, y: 40 },
    { x: 150, y: 20 },
    { x: 150, y: 70 },
    { x: 20, y: 60 },
  ];

  it('reaches beyond the core on all sides', () => {
    const { x, y, width, height } = boundsOf(encloseLine(wedge));
    expect([x < 20, y < 20, x + width > 150, y + height > 70]).toEqual([true, true, true, true]);
  });

  it('converges where the line does, other than the rectangle', () => {
    const [leftSide, rightSide] = [spanLine(wedge), encloseLine(wedge)].map(([a, b, c, d]) => {
      const [left, right] = [Math.hypot(a.x - d.x, a.y - d.y), Math.hypot(b.x - c.x, b.y - c.y)];
      return right / left;
    });
    expect(leftSide).toBeGreaterThan(1.8);
    expect(rightSide).toBeCloseTo(1);
  });
});
