import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { voteOnBoxes } from '../../../../src/vision/boxes/decode-boxes.ts';
import type { ScoredBox } from '../../../../src/vision/boxes/nms.ts';

const at = (x: number, score: number, label = 0): ScoredBox => ({
  label,
  score,
  box: { x, y: 0, width: 10, height: 10 },
});

describe('voteOnBoxes', () => {
  it.each([
    ['a lone box stays', [at(0, 0.9)], 0],
    ['those that overlap count by score', [at(0, 0.6), at(3, 0.2)], 0.75],
    ['one that overlaps too little has no vote', [at(0, 0.6), at(6, 0.6)], 0],
    ['another class has no vote', [at(0, 0.6), at(2, 0.6, 1)], 0],
  ])('%s', (_, candidates, x) => {
    const [winner] = voteOnBoxes(candidates.slice(0, 1), candidates, 0.5);
    expect(winner?.box.x).toBeCloseTo(x);
    expect(winner).toMatchObject({
      label: 0,
      score: candidates[0]?.score,
      box: { y: 0, width: 10, height: 10 },
    });
  });

  it('keeps every box within the hull of those it was made of', () => {
    const side = fc.integer({ min: 1, max: 50 });
    const boxes = fc.array(
      fc.record({
        label: fc.constant(0),
        score: fc.double({ min: 0.01, max: 1, noNaN: true }),
        box: fc.record({ x: side, y: side, width: side, height: side }),
      }),
      { minLength: 1, maxLength: 20 },
    );
    fc.assert(
      fc.property(boxes, (candidates) => {
        for (const { box } of voteOnBoxes(candidates.slice(0, 1), candidates, 0.5)) {
          const least = Math.min(...candidates.map((one) => one.box.x));
          const most = Math.max(...candidates.map((one) => one.box.x + one.box.width));
          expect(box.x).toBeGreaterThanOrEqual(least - 1e-9);
          expect(box.x + box.width).toBeLessThanOrEqual(most + 1e-9);
        }
      }),
    );
  });
});
