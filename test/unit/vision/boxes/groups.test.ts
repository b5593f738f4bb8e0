import { expect, test } from 'vitest';
import { findGroups } from '../../../../src/vision/boxes/vehicle-region.ts';

test.each<[string, string[], number[][]]>([
  ['nothing', ['...', '...'], []],
  ['cells side by side, to the right and to the left', ['.##', '##.'], [[1, 2, 3, 4]]],
  ['cells one above the other', ['#..', '#..', '#..'], [[0, 3, 6]]],
  ['cells at a corner, both ways', ['#.#', '.#.'], [[0, 2, 4]]],
  ['two groups', ['#..', '..#'], [[0], [5]]],
  ['cells at both edges, which do not touch', ['..#', '#..'], [[2], [3]]],
  ['a first column that touches the second', ['##.', '...'], [[0, 1]]],
])('%s', (_, rows, groups) => {
  const inside = Uint8Array.from(rows.join(''), (cell) => (cell === '#' ? 1 : 0));
  const found = findGroups(inside, rows[0]?.length ?? 0);
  expect(found.map((group) => group.toSorted((a, b) => a - b))).toEqual(groups);
});
