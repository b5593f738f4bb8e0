import { expect, it } from 'vitest';
import { computeIntervals } from '../../../../../models/evaluate/finds/intervals.ts';
import { damage, find, photo } from './labelled-finds.ts';

/** Photos of one damage each, found in the first `found` of them; `groupOf` names the group of each. */
const makePhotos = (count: number, found: number, groupOf: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => ({
    photo: { ...photo([damage(0)]), group: groupOf(at) },
    finds: at < found ? [find(0)] : [],
  }));

it('an interval is as wide as photos drawn one by one vary', () => {
  const { found, precision, cleanAlarms } = computeIntervals(makePhotos(100, 50, String));
  // The normal approximation: 0.5 ± 1.645 x 0.05.
  expect(found?.[0]).toBeCloseTo(0.418, 1);
  expect(found?.[1]).toBeCloseTo(0.582, 1);
  expect(precision).toEqual([1, 1]);
  expect(cleanAlarms).toBeNull();
});

it('an interval is wider where photos of one group are alike, and the same in every run', () => {
  const photos = makePhotos(100, 50, (at) => String(Math.floor(at / 25)));
  const { found } = computeIntervals(photos);
  expect((found?.[1] ?? 0) - (found?.[0] ?? 0)).toBeGreaterThan(0.5);
  expect(computeIntervals(photos).found).toEqual(found);
});
