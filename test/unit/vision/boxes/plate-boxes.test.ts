import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placePass } from '../../../../src/vision/boxes/merge-boxes.ts';
import { listPlateBoxes } from '../../../../src/vision/boxes/plate-boxes.ts';

const PHOTO = { width: 1000, height: 500 };
const found = (score: number, x = 0.2, y = 0.4, width = 0.3, height = 0.1) => ({
  label: 0,
  score,
  box: { x, y, width, height },
});

type Found = ReturnType<typeof found>;
const WHOLE = { x: 0, y: 0, ...PHOTO };
const LEFT = { x: 0, y: 0, width: 500, height: 500 };
/** What is listed of finds in the whole photo and in its left half. */
const list = (first: readonly Found[], threshold: number, left?: readonly Found[]) =>
  listPlateBoxes(
    { first: placePass(WHOLE, first), closer: left ? [placePass(LEFT, left)] : [] },
    { threshold, nms_iou: 0.5 },
    PHOTO,
    PHOTO,
  );

describe('listPlateBoxes', () => {
  it.each([
    ['in pixels of the photo, with a margin of half its height', [0.2, 0.4, 0.3, 0.1], [175, 175, 350, 100]],
    ['upright', [0.2, 0.2, 0.04, 0.4], [180, 80, 80, 240]],
    ['at the edge, no further than the photo', [0.9, 0, 0.1, 0.1], [875, 0, 125, 75]],
    ['all of the photo', [0, 0, 1, 1], [0, 0, 1000, 500]],
  ])('gives a find %s', (_name, [x, y, width, height], expected) => {
    const [plate] = list([found(0.9, x, y, width, height)], 0.5);
    expect(Object.values(plate?.box ?? {})).toEqual(expected);
  });

  it('takes finds from the threshold on and says how sure they are', () => {
    const plates = list([found(0.9), found(0.5), found(0.49)], 0.5);
    expect(plates.map(({ confidence }) => confidence)).toEqual([0.9, 0.5]);
  });

  it.each([
    ['a small find below a half', 0.4, 0.3, 0.09, 1],
    ['no find over 3 % of the photo below 0.5', 0.49, 0.3, 0.11, 0],
    ['a large find from 0.5 on', 0.5, 0.4, 0.3, 1],
  ])('takes %s', (_, score, width, height, count) => {
    expect(list([found(score, 0.2, 0.4, width, height)], 0.35)).toHaveLength(count);
  });

  // A plate of 100 x 25 pixels, 0.5 % of the photo, and how the left half shows the same place.
  const small = (score: number) => found(score, 0.2, 0.4, 0.1, 0.05);
  const closer = (score: number, height = 0.05) => found(score, 0.4, 0.4, 0.2, height);
  it.each([
    ['a small find that the closer look alone is sure of', [], [closer(0.55)], [0.55]],
    ['none that it is less sure of', [], [closer(0.54)], []],
    ['none over 1 % of the photo that only it shows', [], [closer(0.6, 0.2)], []],
    [
      'no large one that only it shows',
      [found(0.4, 0.1, 0.2, 0.3, 0.5)],
      [found(0.9, 0.2, 0.2, 0.6, 0.5)],
      [],
    ],
    ['a large one as the whole photo shows it', [found(0.6, 0.1, 0.2, 0.3, 0.5)], [], [0.6]],
    ['the mean of both looks', [small(0.38)], [closer(0.44)], [0.41]],
    ['one plate once', [small(0.5)], [closer(0.7)], [0.6]],
    ['one plate once that only the closer look shows', [], [closer(0.6), closer(0.5, 0.06)], [0.6]],
    ['no find that it looks at and does not see again', [small(0.45)], [], []],
  ])('takes %s', (_, first, left, expected) => {
    const scores = list(first, 0.4, left).map(({ confidence }) => Number(confidence.toFixed(2)));
    expect(scores).toEqual(expected);
  });

  it('covers every find and stays inside the photo', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.tuple(share, share, share, share), ([x, y, right, bottom]) => {
        const [width, height] = [Math.abs(right - x), Math.abs(bottom - y)];
        const [left, top] = [Math.min(x, right), Math.min(y, bottom)];
        const { box } = list([found(1, left, top, width, height)], 0.5)[0] as {
          box: { x: number; y: number; width: number; height: number };
        };
        expect(box.x).toBeGreaterThanOrEqual(0);
        expect(box.y).toBeGreaterThanOrEqual(0);
        expect(box.x + box.width).toBeLessThanOrEqual(PHOTO.width);
        expect(box.y + box.height).toBeLessThanOrEqual(PHOTO.height);
        expect(box.x).toBeLessThanOrEqual(left * PHOTO.width);
        expect(box.x + box.width).toBeGreaterThanOrEqual((left + width) * PHOTO.width - 1e-9);
        expect(box.y).toBeLessThanOrEqual(top * PHOTO.height);
        expect(box.y + box.height).toBeGreaterThanOrEqual((top + height) * PHOTO.height - 1e-9);
      }),
    );
  });
});
