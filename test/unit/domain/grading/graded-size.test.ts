import { expect, test } from 'vitest';
import { readGradedSizeCm } from '../../../../src/domain/grading/graded-size.ts';
import { formatSize } from '../../../../src/report/figures.ts';

const severity = (long_side_cm: number | null) => ({ rule: 'severity.dent', inputs: { long_side_cm } });
const merged = { rule: 'review.merged', inputs: { long_side_cm: 31 } };
const located = { rule: 'locate.mask_overlap', inputs: { overlap: 0.9 } };

test.each([
  ['by a rule of severity', [located, severity(12.3)], 12.3],
  ['by none: the photo has no scale', [located, severity(null)], undefined],
  ['by none at all', [], undefined],
  ['by a merge, which came last', [severity(12), merged, located], 31],
])('the size of a find was judged %s', (_, explain, wanted) => {
  expect(readGradedSizeCm(explain)).toBe(wanted);
  const words = wanted === undefined ? undefined : `~${Math.round(wanted)} cm`;
  expect(formatSize({ explain })).toBe(words);
});
