import { expect, test } from 'vitest';
import { isSamePart } from '../../../../src/domain/compare/same-part.ts';
import { partGrid } from '../../../helpers/photos/part-grid.ts';

const [LEFT, RIGHT] = [
  { u: 0.25, v: 0.5 },
  { u: 0.75, v: 0.5 },
];

// D and d are the front doors of both sides, F and H a fender of the left one and the hood.
test.each([
  ['the same part, by few points', 'DD', LEFT, 8, 0.1, true],
  ['the same part elsewhere in the photo', 'HD', RIGHT, 8, 0.1, true],
  ['another part, by few points', 'HD', LEFT, 39, 0.99, false],
  ['another part, by many points of another picture', 'HD', LEFT, 60, 0.84, false],
  ['another part, by many points of the same picture', 'HD', LEFT, 60, 0.85, true],
  ['another part of the same side, by many points', 'FD', LEFT, 40, 0.1, true],
  ['another part of the same side, by fewer points', 'FD', LEFT, 39, 0.1, false],
])('%s', (_, row, foundAt, inliers, likeness, wanted) => {
  const [door, other] = [partGrid('DD'), partGrid(row)];
  const from = { map: door, point: LEFT };
  expect(isSamePart(from, { map: other, point: foundAt }, { inliers, likeness })).toBe(wanted);
});
