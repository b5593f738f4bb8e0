import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Box } from '../../../../src/domain/geometry.ts';
import { mergePasses, type Pass, placePass } from '../../../../src/vision/boxes/merge-boxes.ts';

const raster = { width: 1000, height: 500 };
const whole: Box = { x: 0, y: 0, ...raster };
const left: Box = { x: 0, y: 0, width: 600, height: 500 };
const right: Box = { x: 400, y: 0, width: 600, height: 500 };
const upper: Box = { x: 0, y: 0, width: 1000, height: 300 };
const lower: Box = { x: 0, y: 200, width: 1000, height: 300 };

type Corners = readonly [x: number, y: number, width: number, height: number];
const toBox = ([x, y, width, height]: Corners): Box => ({ x, y, width, height });
/** A pass with a single box. */
const seen = (region: Box, corners: Corners, score: number, label = 0): Pass => ({
  region,
  boxes: [{ label, box: toBox(corners), score }],
});
const close = (value: number) => expect.closeTo(value, 6);
const is = (score: number, [x, y, width, height]: Corners) => ({
  label: 0,
  score: close(score),
  box: { x: close(x), y: close(y), width: close(width), height: close(height) },
});

const HERE: Corners = [700, 100, 100, 100];
const MOVED: Corners = [705, 100, 100, 100];
const FAR: Corners = [100, 100, 100, 100];
const LARGE: Corners = [300, 100, 600, 300];
const NOTHING: Pass = { region: whole, boxes: [] };
const BOTH = { region: whole, boxes: [...seen(whole, HERE, 0.8).boxes, ...seen(whole, FAR, 0.4).boxes] };
const CUT = seen(left, [300, 100, 300, 100], 0.7);

it.each<[string, Pass, Pass[], object[]]>([
  ['as it is what was not looked at closer', seen(whole, HERE, 0.5), [], [is(0.5, HERE)]],
  ['less sure what a closer region alone saw', NOTHING, [seen(right, HERE, 0.9)], [is(0.54, HERE)]],
  ['the mean and the surer box', seen(whole, HERE, 0.5), [seen(right, MOVED, 0.9)], [is(0.7, MOVED)]],
  // But not where no tile looked.
  ['less sure what no tile sees', BOTH, [{ region: right, boxes: [] }], [is(0.68, HERE), is(0.4, FAR)]],
  ['classes apart', seen(whole, HERE, 0.5), [seen(right, HERE, 0.9, 1)], [{ label: 1 }, { label: 0 }]],
  ['halves as one', NOTHING, [CUT, seen(right, [400, 110, 350, 90], 0.8)], [is(0.48, [300, 100, 450, 100])]],
  [
    'halves above each other as one',
    NOTHING,
    [seen(upper, [100, 100, 50, 200], 0.7), seen(lower, [105, 200, 45, 150], 0.8)],
    [is(0.48, [100, 100, 50, 250])],
  ],
  ['halves of two classes apart', NOTHING, [CUT, seen(right, [400, 100, 350, 90], 0.8, 1)], [{}, {}]],
  ['halves of two heights apart', NOTHING, [CUT, seen(right, [400, 300, 350, 90], 0.8)], [{}, {}]],
  [
    'the whole box in place of a cut piece of its class, even a less certain one',
    seen(whole, [300, 100, 600, 100], 0.4),
    [seen(left, [420, 100, 180, 100], 0.9)],
    [{ box: { width: close(600) } }],
  ],
  ['a whole box in a larger', seen(whole, LARGE, 0.4), [seen(left, [320, 150, 60, 60], 0.9)], [{}, {}]],
  // Which is no cut.
  ['one at the edge', seen(whole, [0, 0, 600, 300], 0.4), [seen(left, [0, 0, 60, 60], 0.9)], [{}, {}]],
])('gives %s', (_, first, closer, wanted) => {
  const merged = mergePasses(first, closer, raster, 0.6);
  expect(merged).toMatchObject(wanted);
});

it('keeps scores in order and within 0 and 1', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const box = fc.record({
    label: fc.integer({ min: 0, max: 1 }),
    score: share,
    box: fc.record({
      x: fc.double({ min: 0, max: 0.5, noNaN: true }),
      y: share,
      width: fc.double({ min: 0.01, max: 0.5, noNaN: true }),
      height: share,
    }),
  });
  const boxes = fc.array(box, { maxLength: 12 });
  fc.assert(
    fc.property(boxes, boxes, boxes, (first, second, third) => {
      const closer = [placePass(left, second), placePass(right, third)];
      const merged = mergePasses(placePass(whole, first), closer, raster, 0.6);
      expect(merged.length).toBeLessThanOrEqual(first.length + second.length + third.length);
      expect(merged.length).toBeGreaterThanOrEqual(first.length);
      const scores = merged.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
    }),
  );
});
