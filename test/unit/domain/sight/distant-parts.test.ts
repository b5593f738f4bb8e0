import { describe, expect, test } from 'vitest';
import { findConnectedComponents } from '../../../../src/domain/sight/connected-components.ts';
import { isOnDistantPart, listDistantParts } from '../../../../src/domain/sight/distant-parts.ts';
import { partGrid } from '../../../helpers/photos/part-grid.ts';

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
  const found = findConnectedComponents(inside, rows[0]?.length ?? 0);
  expect(found.map((group) => group.toSorted((a, b) => a - b))).toEqual(groups);
});

describe('a vehicle behind', () => {
  const wheel = Array(8).fill('....OOOOOOOO');
  const behind = partGrid(...wheel, '............', 'OOO.........', 'OOO.........');
  const photo = { width: 1200, height: 1100 };

  test('is known by a wheel of less than a tenth of the cells of the largest', () => {
    expect(listDistantParts(behind, photo)).toEqual([{ x: 0, y: 900, width: 300, height: 200 }]);
    expect(listDistantParts(partGrid('OOO.OOO', 'OOO.OOO'), photo)).toEqual([]);
    expect(listDistantParts(partGrid(...wheel, '............', 'OO..........'), photo)).toEqual([]);
  });

  test.each([
    ['at it', { x: 200, y: 800, width: 300, height: 200 }, true],
    ['next to it', { x: 300, y: 800, width: 300, height: 200 }, false],
    ['far larger than it', { x: 0, y: 0, width: 1200, height: 1100 }, true],
    ['forty times as large', { x: 0, y: 0, width: 1600, height: 1500 }, false],
  ])('takes a find %s: %s', (_, box, far) => {
    expect(isOnDistantPart(box, listDistantParts(behind, photo))).toBe(far);
  });
});
