import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBoxes, voteOnBoxes } from '../../../../src/vision/boxes/decode-boxes.ts';
import type { ScoredBox } from '../../../../src/vision/boxes/nms.ts';

const INPUT = { width: 100, height: 200 };
/** Decodes boxes of four corners each, with a score per label. */
const decode = (corners: readonly number[], scores: readonly number[], labels = 1) =>
  decodeBoxes(Float32Array.from(corners), Float32Array.from(scores), labels, INPUT, { nms_iou: 0.6 });

describe('decodeBoxes', () => {
  it('turns corners in input pixels into parts of the picture, best first', () => {
    const near = (value: number) => expect.closeTo(value);
    expect(decode([10, 20, 30, 60, 50, 100, 100, 200], [0.5, 0.01, 0.02, 0.75], 2)).toEqual([
      { label: 1, score: 0.75, box: { x: 0.5, y: 0.5, width: 0.5, height: 0.5 } },
      { label: 0, score: 0.5, box: { x: near(0.1), y: near(0.1), width: near(0.2), height: near(0.2) } },
    ]);
  });

  it('keeps a candidate for every class it scores in, cut off at the border', () => {
    const [first, second] = decode([-50, -10, 150, 100], [0.5, 0.5], 2);
    expect(first).toEqual({ label: 0, score: 0.5, box: { x: 0, y: 0, width: 1, height: 0.5 } });
    expect(second).toEqual({ ...first, label: 1 });
  });

  it.each([
    ['a score that is no number', [0, 0, 50, 50], Number.NaN],
    ['a corner that is no number', [0, Number.NaN, 50, 50], 0.9],
    ['a box without width', [50, 0, 50, 50], 0.9],
    ['a box inside out', [60, 0, 50, 50], 0.9],
    ['a box outside', [120, 0, 180, 50], 0.9],
  ])('leaves out %s', (_, corners, score) => {
    expect(decode(corners, [score])).toEqual([]);
  });

  it('gives at most 100 boxes', () => {
    const places = Array.from({ length: 300 }, (_, i) => [2 * (i % 50), 2 * Math.floor(i / 50)] as const);
    const corners = places.flatMap(([x, y]) => [x, y, x + 1, y + 1]);
    const scores = places.map((_, i) => 0.1 + i / 500);
    expect(decode(corners, scores)).toHaveLength(100);
  });

  it('lets only the best 200 of a class vote', () => {
    const corners = [...Array.from({ length: 200 }, () => [0, 0, 50, 50]).flat(), 4, 0, 50, 50];
    const scores = [...Array<number>(200).fill(0.5), 0.1];
    expect(decode(corners, scores)).toMatchObject([{ box: { x: 0 } }]);
  });
});

describe('voteOnBoxes', () => {
  const at = (x: number, score: number, label = 0): ScoredBox => ({
    label,
    score,
    box: { x, y: 0, width: 10, height: 10 },
  });
  it.each([
    ['a lone box stays', [at(0, 0.9)], 0],
    ['those that overlap count by score', [at(0, 0.6), at(3, 0.2)], 0.75],
    ['one that overlaps too little has no vote', [at(0, 0.6), at(6, 0.6)], 0],
    ['another class has no vote', [at(0, 0.6), at(2, 0.6, 1)], 0],
  ])('%s', (_, candidates, x) => {
    const [first] = candidates;
    const [winner] = voteOnBoxes(candidates.slice(0, 1), candidates, 0.5);
    expect(winner).toEqual({ ...first, box: { x: expect.closeTo(x), y: 0, width: 10, height: 10 } });
  });

  it('keeps every box within the hull of those it was made of', () => {
    const side = fc.integer({ min: 1, max: 50 });
    const box = fc.record({ x: side, y: side, width: side, height: side });
    const score = fc.double({ min: 0.01, max: 1, noNaN: true });
    const boxes = fc.array(fc.record({ label: fc.constant(0), score, box }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(boxes, (candidates) => {
        const least = Math.min(...candidates.map((one) => one.box.x));
        const most = Math.max(...candidates.map((one) => one.box.x + one.box.width));
        for (const { box } of voteOnBoxes(candidates.slice(0, 1), candidates, 0.5)) {
          expect(box.x).toBeGreaterThanOrEqual(least - 1e-9);
          expect(box.x + box.width).toBeLessThanOrEqual(most + 1e-9);
        }
      }),
    );
  });
});
