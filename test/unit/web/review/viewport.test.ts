import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Box, intersection } from '../../../../src/domain/geometry.ts';
import {
  fitWholeView,
  makeBoxBetween,
  moveBox,
  placeTags,
  resizeViewport,
  showBox,
  zoom,
} from '../../../../src/web/review/viewport.ts';

const PHOTO = { width: 4000, height: 3000 };
const place = fc.record({ x: fc.integer({ min: -500, max: 4500 }), y: fc.integer({ min: -500, max: 3500 }) });

const isInside = (box: Box) =>
  Object.values(box).every(Number.isInteger) && intersection(box, { x: 0, y: 0, ...PHOTO }) === areaOf(box);
const areaOf = ({ width, height }: Box) => (Math.min(width, height) < 1 ? Number.NaN : width * height);

test('whatever is drawn or moved lies in the photo, in whole pixels', () => {
  fc.assert(
    fc.property(place, place, place, fc.boolean(), (a, b, by, sizing) => {
      const box = makeBoxBetween(a, b, PHOTO);
      expect(isInside(box)).toBe(true);
      expect(isInside(moveBox(box, by, sizing, PHOTO))).toBe(true);
    }),
  );
});

test.each([
  [1, { width: 400, height: 500 }],
  [3, { width: 400, height: 500 }],
  [3, { width: 1600, height: 700 }],
])('a stage of another size keeps the center and the magnification of %d', (magnification, to) => {
  const from = { width: 800, height: 600 };
  const view = zoom(fitWholeView(PHOTO, from), magnification, { x: 1000, y: 600 }, PHOTO);
  const resized = resizeViewport(view, PHOTO, from, to);
  expect(fitWholeView(PHOTO, to).width / resized.width).toBeCloseTo(magnification);
  expect(resized.width / resized.height).toBeCloseTo(to.width / to.height);
  expect(resized.x + resized.width / 2).toBeCloseTo(view.x + view.width / 2);
  expect(resized.y + resized.height / 2).toBeCloseTo(view.y + view.height / 2);
});

test('looking closer keeps the point under the pointer', () => {
  const view = fitWholeView(PHOTO, { width: 800, height: 600 });
  const at = { x: 1000, y: 600 };
  const near = zoom(view, 2, at, PHOTO);
  expect(near.width).toBeCloseTo(view.width / 2);
  expect((at.x - near.x) / near.width).toBeCloseTo((at.x - view.x) / view.width);
  expect((at.y - near.y) / near.height).toBeCloseTo((at.y - view.y) / view.height);
});

test('the view ends at 80 pixels of the photo and at two and a half photos', () => {
  const view = fitWholeView(PHOTO, { width: 800, height: 600 });
  expect(zoom(view, 1000, { x: 0, y: 0 }, PHOTO).width).toBe(80);
  expect(zoom(view, 0.001, { x: 0, y: 0 }, PHOTO).width).toBe(10_000);
});

test('a box that is in view and large enough moves nothing; a small one is brought near, whole', () => {
  const stage = { width: 800, height: 600 };
  const view = fitWholeView(PHOTO, stage);
  expect(showBox(view, { x: 1000, y: 1000, width: 900, height: 700 }, PHOTO, stage)).toBe(view);
  const inTheMiddle = { x: 2000, y: 1500, width: 200, height: 100 };
  expect(showBox(view, inTheMiddle, PHOTO, stage).width).toBeLessThan(view.width);
  const small = { x: 3900, y: 50, width: 60, height: 40 };
  const near = showBox(view, small, PHOTO, stage);
  expect(near.width).toBeLessThan(view.width);
  expect(near.x).toBeLessThanOrEqual(small.x);
  expect(near.x + near.width).toBeGreaterThanOrEqual(small.x + small.width);
});

test.each([
  [0.05, true],
  [0.03, false],
])('the view of a box that is %d of the view from its edge stays: %s', (share, isStill) => {
  const stage = { width: 800, height: 600 };
  const view = { x: 1000, y: 600, width: 1000, height: 750 };
  const inset = { x: view.x + view.width * share, y: view.y + view.height * share };
  const box = { ...inset, width: 200, height: 150 };
  expect(showBox(view, box, PHOTO, stage) === view).toBe(isStill);
});

test('the numbers of boxes cover none of each other, also at the upper border of the photo', () => {
  const mark = fc.record({
    number: fc.integer({ min: 1, max: 120 }),
    box: fc.record({ x: fc.integer({ min: 0, max: 60 }), y: fc.integer({ min: 0, max: 60 }) }),
  });
  fc.assert(
    fc.property(fc.array(mark, { maxLength: 6 }), (marks) => {
      const tags = placeTags(marks, 17);
      for (const [at, a] of tags.entries())
        for (const b of tags.slice(at + 1)) expect(intersection(a, b)).toBe(0);
    }),
  );
});
