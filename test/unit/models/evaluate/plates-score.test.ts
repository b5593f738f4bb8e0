import { expect, it } from 'vitest';
import { type JudgedPlates, scorePlates } from '../../../../models/evaluate/plates-score.ts';

const box = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });
const PLATE = box(100, 100, 100, 20);
const photo = (
  truths: readonly (ReturnType<typeof box> & { crowd?: boolean })[],
  ...blurred: ReturnType<typeof box>[]
): JudgedPlates => ({
  size: { width: 1000, height: 500 },
  truths: truths.map(({ crowd = false, ...one }) => ({ box: one, crowd })),
  blurred,
});
const counts = (plates: number, whole: number, inPart: number, missed: number) => ({
  plates,
  whole,
  inPart,
  missed,
  recall: plates === 0 ? null : whole / plates,
});

it.each([
  ['covered to nine tenths', photo([PLATE], box(100, 100, 90, 20)), counts(1, 1, 0, 0)],
  ['covered to less', photo([PLATE], box(100, 100, 89, 20)), counts(1, 0, 1, 0)],
  ['half covered twice', photo([PLATE], ...Array(2).fill(box(100, 100, 50, 20))), counts(1, 0, 1, 0)],
  ['touched from outside only', photo([PLATE], box(200, 100, 50, 20)), counts(1, 0, 0, 1)],
  ['unsure', photo([{ ...PLATE, crowd: true }]), counts(0, 0, 0, 0)],
])('a plate %s', (_name, one, expected) => {
  expect(scorePlates([one]).all).toEqual(expected);
});

it.each([
  ['on nothing', photo([], box(0, 0, 50, 50)), 1],
  ['on a part of a plate', photo([PLATE], box(150, 90, 100, 40)), 0],
  ['next to the plate', photo([PLATE], box(190, 100, 300, 100)), 1],
  ['around a plate much smaller', photo([box(100, 100, 10, 5)], box(50, 50, 200, 100)), 0],
  ['on a plate that is blank already', photo([{ ...PLATE, crowd: true }], box(90, 90, 120, 40)), 0],
  ['twice on nothing', photo([], box(0, 0, 50, 50), box(500, 0, 50, 50)), 2],
])('a region %s', (_name, one, falseBlurs) => {
  expect(scorePlates([one])).toMatchObject({ falseBlurs, photosWithFalseBlur: Math.min(1, falseBlurs) });
});

it('says how much of a photo is blurred beyond its plates, spots under two regions once', () => {
  const boxes = [box(100, 100, 100, 50), box(100, 110, 100, 5), box(100, 120, 100, 30)];
  const twice = photo([PLATE], ...boxes, box(500, 100, 10, 10));
  const share = (100 * 30 + 10 * 10) / (1000 * 500);
  expect(scorePlates([twice]).blurredWithoutNeed).toBeCloseTo(share, 9);
  expect(scorePlates([twice, photo([])]).blurredWithoutNeed).toBeCloseTo(share / 2, 9);
  expect(scorePlates([])).toMatchObject({ blurredWithoutNeed: 0, all: counts(0, 0, 0, 0) });
});

it('counts the photos all of whose plates are gone, and plates by their width', () => {
  const wide = box(0, 0, 400, 80);
  const score = scorePlates([
    photo([PLATE, wide], box(90, 90, 120, 40)),
    photo([wide], wide),
    photo([box(0, 0, 80, 20)]),
    photo([]),
  ]);
  expect(score).toMatchObject({ photos: 4, photosWithPlate: 3, photosSafe: 1 });
  expect(score.byWidth).toEqual([
    { to: 0.08, ...counts(1, 0, 0, 1) },
    { to: 0.16, ...counts(1, 1, 0, 0) },
    { to: 1, ...counts(2, 1, 0, 1) },
  ]);
});
