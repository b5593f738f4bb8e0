import { expect, it } from 'vitest';
import type { PartMap } from '../../../../src/domain/sight/detection.ts';
import { findVehicleRegion, keepMainVehicle } from '../../../../src/vision/boxes/vehicle-region.ts';

/** `.` background, `h` hood, `?` hood, uncertain. */
function map(rows: readonly string[]): PartMap {
  const cells = [...rows.join('')];
  return {
    labels: ['background', 'hood'],
    width: rows[0]?.length ?? 0,
    height: rows.length,
    bestLabels: Uint8Array.from(cells, (cell) => (cell === '.' ? 0 : 1)),
    certainty: Uint8Array.from(cells, (cell) => (cell === '?' ? 100 : 255)),
  };
}

it.each<[string, string[], [number, number, number, number] | undefined]>([
  ['nothing', ['....', '....'], undefined],
  ['only uncertain cells', ['.??.', '....'], undefined],
  ['one cell', ['....', '..h.'], [20, 5, 10, 5]],
  ['a whole photo', ['hhhh', 'hhhh'], [0, 0, 40, 10]],
  ['two groups of like size', ['h..h', 'h..h'], [0, 0, 40, 10]],
  ['cells that touch only round the edge', ['...h', 'h...'], [0, 0, 40, 10]],
  ['no group much smaller', ['.hhhh...', '.hhhh...', '.hhhh..h', '........'], [10, 0, 40, 15]],
])('the region of the vehicle: %s', (_, rows, box) => {
  const parts = map(rows);
  const region = findVehicleRegion(parts, { width: 10 * parts.width, height: 5 * parts.height });
  expect(region && [region.x, region.y, region.width, region.height]).toEqual(box);
});

const main = ['hhhhhhh.....', 'hhhhhhh.....', 'hhhhhhh.....'];
it.each<[string, string[], string[]]>([
  ['another vehicle far behind', ['...........h', ...main], ['............', ...main]],
  ['one seen unsurely', ['...........?', ...main], ['............', ...main]],
  ['a tenth of the vehicle beyond a post', [...main, '..........hh', '...........h'], []],
  ['a corner that touches', ['.......h....', ...main], []],
  ['no vehicle at all', ['....', '....'], []],
])('the main vehicle: %s', (_, rows, kept) => {
  const expected = map(kept.length > 0 ? kept : rows);
  expect([...keepMainVehicle(map(rows)).bestLabels]).toEqual([...expected.bestLabels]);
});
