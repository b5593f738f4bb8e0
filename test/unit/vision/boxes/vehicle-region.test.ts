import { describe, expect, it } from 'vitest';
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

describe('findVehicleRegion', () => {
  it.each<[string, string[], [number, number, number, number] | undefined]>([
    ['nothing', ['....', '....'], undefined],
    ['only uncertain cells', ['.??.', '....'], undefined],
    ['one cell', ['....', '..h.'], [20, 5, 10, 5]],
    ['a whole photo', ['hhhh', 'hhhh'], [0, 0, 40, 10]],
    ['two groups of like size', ['h..h', 'h..h'], [0, 0, 40, 10]],
  ])('%s', (_, rows, box) => {
    const region = findVehicleRegion(map(rows), { width: 40, height: 10 });
    expect(region && [region.x, region.y, region.width, region.height]).toEqual(box);
  });

  it('passes over a group much smaller than the vehicle, and does not wrap round the edge', () => {
    const rows = ['.hhhh.......', '.hhhh.......', '.hhhh......h', '............'];
    const region = findVehicleRegion(map(rows), { width: 12, height: 4 });
    expect(region).toEqual({ x: 1, y: 0, width: 4, height: 3 });
    expect(findVehicleRegion(map(['...h', 'h...']), { width: 4, height: 2 })).toEqual({
      x: 0,
      y: 0,
      width: 4,
      height: 2,
    });
  });
});

describe('keepMainVehicle', () => {
  const main = ['hhhhhhh.....', 'hhhhhhh.....', 'hhhhhhh.....'];
  it.each<[string, string[], string[]]>([
    ['another vehicle far behind', ['...........h', ...main], ['............', ...main]],
    ['one seen unsurely', ['...........?', ...main], ['............', ...main]],
    ['a tenth of the vehicle beyond a post', [...main, '..........hh', '...........h'], []],
    ['a corner that touches', ['.......h....', ...main], []],
    ['no vehicle at all', ['....', '....'], []],
  ])('%s', (_, rows, kept) => {
    const expected = map(kept.length > 0 ? kept : rows);
    expect([...keepMainVehicle(map(rows)).bestLabels]).toEqual([...expected.bestLabels]);
  });
});
