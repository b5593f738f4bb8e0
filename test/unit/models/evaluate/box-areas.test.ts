import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intersectAll, measureJointArea } from '../../../../models/evaluate/box-areas.ts';

const box = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });
const side = fc.integer({ min: 0, max: 9 });
const boxes = fc.array(
  fc.tuple(side, side, side, side).map(([x, y, w, h]) => box(x, y, w, h)),
  {
    maxLength: 6,
  },
);

/** Unit squares that lie in a box of the list. */
function squares(list: readonly ReturnType<typeof box>[]): Set<number> {
  const inside = new Set<number>();
  for (let y = 0; y < 20; y++)
    for (let x = 0; x < 20; x++)
      if (list.some((one) => x >= one.x && x < one.x + one.width && y >= one.y && y < one.y + one.height))
        inside.add(y * 20 + x);
  return inside;
}

describe('measureJointArea', () => {
  it.each([
    ['none', [], 0],
    ['one', [box(2, 3, 4, 5)], 20],
    ['two apart', [box(0, 0, 2, 2), box(5, 5, 3, 1)], 7],
    ['two side by side', [box(0, 0, 2, 2), box(2, 0, 2, 2)], 8],
    ['two that overlap', [box(0, 0, 4, 4), box(2, 2, 4, 4)], 28],
    ['one in another', [box(0, 0, 9, 9), box(2, 2, 1, 1)], 81],
    ['the same twice', [box(1, 1, 3, 3), box(1, 1, 3, 3)], 9],
    ['one without area', [box(1, 1, 0, 5)], 0],
  ])('%s', (_name, list, expected) => {
    expect(measureJointArea(list)).toBe(expected);
  });

  it('counts every square once', () => {
    fc.assert(
      fc.property(boxes, (list) => {
        expect(measureJointArea(list)).toBe(squares(list).size);
      }),
    );
  });
});

describe('intersectAll', () => {
  it('is what both lists cover', () => {
    fc.assert(
      fc.property(boxes, boxes, (a, b) => {
        const [inA, inB] = [squares(a), squares(b)];
        expect(measureJointArea(intersectAll(a, b))).toBe(
          [...inA].filter((square) => inB.has(square)).length,
        );
      }),
    );
  });
});
