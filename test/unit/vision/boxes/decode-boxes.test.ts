import { expect, it } from 'vitest';
import { decodeBoxes } from '../../../../src/vision/boxes/decode-boxes.ts';

const INPUT = { width: 100, height: 200 };
/** Decodes boxes of four corners each, with a score per label. */
const decode = (corners: readonly number[], scores: readonly number[], labels = 1) =>
  decodeBoxes(Float32Array.from(corners), Float32Array.from(scores), labels, INPUT, { nms_iou: 0.6 });

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

const FIRST = [0, 0, 50, 100];
it.each([
  ['those that overlap count by score', [5, 10, 55, 120], [0.6, 0.2], 1, [0.0125, 0.0125, 0.5, 0.5125]],
  ['one that overlaps too little has no vote', [20, 0, 70, 100], [0.6, 0.6], 1, [0, 0, 0.5, 0.5]],
  ['another class has no vote', [5, 0, 55, 100], [0.6, 0, 0, 0.5], 2, [0, 0, 0.5, 0.5]],
])('outlines a box by its neighbors: %s', (_, second, scores, labels, [x, y, width, height]) => {
  const close = (value = 0) => expect.closeTo(value);
  const box = { x: close(x), y: close(y), width: close(width), height: close(height) };
  expect(decode([...FIRST, ...second], scores, labels)[0]).toEqual({
    label: 0,
    score: expect.closeTo(0.6),
    box,
  });
});
