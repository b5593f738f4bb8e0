import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Box } from '../../../../src/domain/geometry.ts';
import { mergePasses, type Pass, placePass } from '../../../../src/vision/boxes/merge-boxes.ts';

const raster = { width: 1000, height: 500 };
const whole: Box = { x: 0, y: 0, ...raster };
const left: Box = { x: 0, y: 0, width: 600, height: 500 };
const right: Box = { x: 400, y: 0, width: 600, height: 500 };

type Corner = readonly [x: number, y: number, width: number, height: number];
const near = ([x, y, width, height]: Corner) => ({
  x: close(x),
  y: close(y),
  width: close(width),
  height: close(height),
});
const close = (value: number) => expect.closeTo(value, 6);

/** A pass with a single box. */
const seen = (region: Box, [x, y, width, height]: Corner, score: number, label = 0): Pass => ({
  region,
  boxes: [{ label, box: { x, y, width, height }, score }],
});
const nothing: Pass = { region: whole, boxes: [] };

describe('mergePasses', () => {
  const cut = [seen(left, [300, 100, 300, 100], 0.7), seen(right, [400, 110, 350, 90], 0.8)];
  it.each<[string, Pass, Pass[], object[]]>([
    [
      'the whole photo as it is where nothing was looked at closer',
      seen(whole, [10, 10, 100, 100], 0.5),
      [],
      [{ label: 0, score: 0.5, box: near([10, 10, 100, 100]) }],
    ],
    [
      'boxes of closer regions in the raster, less sure than they look',
      nothing,
      [seen(right, [700, 100, 50, 50], 0.9)],
      [{ label: 0, score: close(0.54), box: near([700, 100, 50, 50]) }],
    ],
    [
      'the mean of what both saw, and the surer box',
      seen(whole, [700, 100, 100, 100], 0.5),
      [seen(right, [705, 100, 100, 100], 0.9)],
      [{ label: 0, score: close(0.7), box: near([705, 100, 100, 100]) }],
    ],
    [
      'less sure what was not seen again, but not where nobody looked',
      {
        region: whole,
        boxes: [
          ...seen(whole, [700, 100, 100, 100], 0.8).boxes,
          ...seen(whole, [100, 100, 100, 100], 0.4).boxes,
        ],
      },
      [{ region: right, boxes: [] }],
      [{ score: close(0.68) }, { score: 0.4 }],
    ],
    [
      'another class apart',
      seen(whole, [700, 100, 100, 100], 0.5),
      [seen(right, [700, 100, 100, 100], 0.9, 1)],
      [{ label: 1 }, { label: 0 }],
    ],
    [
      'the two halves of a damage that the tiles cut as one',
      nothing,
      cut,
      [{ label: 0, score: close(0.48), box: near([300, 100, 450, 100]) }],
    ],
    [
      'pieces of another class apart',
      nothing,
      [...cut.slice(0, 1), seen(right, [400, 100, 350, 90], 0.8, 1)],
      [{}, {}],
    ],
    [
      'pieces of another height apart',
      nothing,
      [...cut.slice(0, 1), seen(right, [400, 300, 350, 90], 0.8)],
      [{}, {}],
    ],
    [
      'the whole box in place of a cut piece of its class, even a less certain one',
      seen(whole, [300, 100, 600, 100], 0.4),
      [seen(left, [420, 100, 180, 100], 0.9)],
      [{ box: { width: close(600) } }],
    ],
    [
      'a small box that is whole inside a larger one',
      seen(whole, [300, 100, 600, 300], 0.4),
      [seen(left, [320, 150, 60, 60], 0.9)],
      [{}, {}],
    ],
    [
      'a box at the edge of the photo, which is no cut',
      seen(whole, [0, 0, 600, 300], 0.4),
      [seen(left, [0, 0, 60, 60], 0.9)],
      [{}, {}],
    ],
  ])('gives %s', (_, first, closer, wanted) => {
    expect(mergePasses(first, closer, raster, 0.6)).toMatchObject(wanted);
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
});
