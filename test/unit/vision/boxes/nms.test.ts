import fc from 'fast-check';
import { expect, it } from 'vitest';
import { iou } from '../../../../src/domain/geometry.ts';
import { type ScoredBox, suppress } from '../../../../src/vision/boxes/nms.ts';

const at = (x: number, score: number, label = 0): ScoredBox => ({
  label,
  score,
  box: { x, y: 0, width: 10, height: 10 },
});

it('keeps boxes that overlap exactly at the limit', () => {
  expect(suppress([at(0, 0.9), at(5, 0.8)], 1 / 3, 9)).toHaveLength(2);
  expect(suppress([at(0, 0.9), at(5, 0.8)], 0.33, 9)).toHaveLength(1);
});

it('leaves no two boxes of a class that overlap too much, and drops none without a better one', () => {
  const box = fc.record({
    label: fc.integer({ min: 0, max: 2 }),
    score: fc.double({ min: 0, max: 1, noNaN: true }),
    box: fc.record({
      x: fc.integer({ min: 0, max: 30 }),
      y: fc.integer({ min: 0, max: 30 }),
      width: fc.integer({ min: 1, max: 20 }),
      height: fc.integer({ min: 1, max: 20 }),
    }),
  });
  fc.assert(
    fc.property(fc.array(box, { maxLength: 30 }), (boxes) => {
      const kept = suppress(boxes, 0.5, 99);
      const clash = (a: ScoredBox, b: ScoredBox) => a.label === b.label && iou(a.box, b.box) > 0.5;
      for (const [i, one] of kept.entries())
        expect(kept.slice(i + 1).some((other) => clash(one, other))).toBe(false);
      for (const lost of boxes.filter((one) => !kept.includes(one))) {
        expect(kept.some((one) => clash(one, lost) && one.score >= lost.score)).toBe(true);
      }
    }),
  );
});
