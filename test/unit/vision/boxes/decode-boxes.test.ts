import { describe, expect, it } from 'vitest';
import { decodeBoxes } from '../../../../src/vision/boxes/decode-boxes.ts';

const input = { width: 100, height: 200 };
const IOU = { nms_iou: 0.6 };

describe('decodeBoxes', () => {
  it('turns corners in input pixels into parts of the picture, best first', () => {
    const boxes = Float32Array.of(10, 20, 30, 60, 50, 100, 100, 200);
    const scores = Float32Array.of(0.5, 0.01, 0.02, 0.75);
    expect(decodeBoxes(boxes, scores, 2, input, IOU)).toEqual([
      { label: 1, score: 0.75, box: { x: 0.5, y: 0.5, width: 0.5, height: 0.5 } },
      {
        label: 0,
        score: 0.5,
        box: {
          x: expect.closeTo(0.1),
          y: expect.closeTo(0.1),
          width: expect.closeTo(0.2),
          height: expect.closeTo(0.2),
        },
      },
    ]);
  });

  it('keeps a candidate for every class it scores in', () => {
    expect(decodeBoxes(Float32Array.of(0, 0, 50, 50), Float32Array.of(0.5, 0.5), 2, input, IOU)).toHaveLength(
      2,
    );
  });

  it('cuts boxes off at the border', () => {
    const [found] = decodeBoxes(Float32Array.of(-50, -10, 150, 100), Float32Array.of(0.9), 1, input, IOU);
    expect(found?.box).toEqual({ x: 0, y: 0, width: 1, height: 0.5 });
  });

  it.each([
    ['a score that is no number', [0, 0, 50, 50], Number.NaN],
    ['a corner that is no number', [0, Number.NaN, 50, 50], 0.9],
    ['a box without width', [50, 0, 50, 50], 0.9],
    ['a box inside out', [60, 0, 50, 50], 0.9],
    ['a box outside', [120, 0, 180, 50], 0.9],
  ])('leaves out %s', (_, corners, score) => {
    expect(decodeBoxes(Float32Array.from(corners), Float32Array.of(score), 1, input, IOU)).toEqual([]);
  });

  it('gives at most 100 boxes', () => {
    const count = 300;
    const boxes = Float32Array.from({ length: count * 4 }, (_, i) => [0, 0, 1, 1][i % 4] as number).map(
      (corner, i) => corner + (i % 2 === 0 ? Math.floor(i / 4) % 50 : Math.floor(i / 200)) * 2,
    );
    const scores = Float32Array.from({ length: count * 2 }, (_, i) => 0.1 + i / 1000);
    expect(decodeBoxes(boxes, scores, 2, input, IOU)).toHaveLength(100);
  });

  it('lets only the best 200 of a class vote', () => {
    const boxes = Float32Array.from({ length: 804 }, (_, i) => [i < 800 ? 0 : 4, 0, 50, 50][i % 4] as number);
    const scores = Float32Array.from({ length: 201 }, (_, i) => (i < 200 ? 0.5 : 0.1));
    expect(decodeBoxes(boxes, scores, 1, input, IOU)).toMatchObject([{ box: { x: 0 } }]);
  });
});
