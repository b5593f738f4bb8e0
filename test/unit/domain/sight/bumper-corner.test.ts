import { describe, expect, test } from 'vitest';
import type { Box } from '../../../../src/domain/geometry.ts';
import { findBumperCorner } from '../../../../src/domain/sight/bumper-corner.ts';
import type { DetectorLabel, SegmentLabel } from '../../../../src/domain/sight/detection.ts';
import { createScene } from '../../../../src/domain/sight/photo-scene.ts';
import { partGrid } from '../../../helpers/photos/part-grid.ts';

// A left side, front to the left, 10 pixels per cell: the map draws fender and quarter panel down to the ground beyond
// the wheels, and the bumpers too short.
const LEFT_SIDE = partGrid(
  '........................',
  'LLFFFFFFDDDDEEEEQQQQQQAA',
  'FFFFFFFFDDDDEEEEQQQQQQAA',
  'FFFOOOOFDDDDEEEEQOOOOQQQ',
  'BFFOOOOFDDDDEEEEQOOOOQQR',
  'BFFOOOOFKKKKKKKKQOOOOQQR',
  'BBFOOOO..........OOOOQRR',
);
const RIGHT_FRONT = partGrid(
  '............',
  'ddddffffffll',
  'ddddffffffff',
  'ddddfOOOOfff',
  'ddddfOOOOffB',
  '....fOOOOfBB',
  '.....OOOO.BB',
);
const at = (column: number, row: number): Box => ({ x: column * 10, y: row * 10, width: 10, height: 10 });

function cornerAt(label: DetectorLabel, box: Box, segment: SegmentLabel, map = LEFT_SIDE) {
  return findBumperCorner(label, box, segment, createScene(map, { width: map.width * 10, height: 70 }, null));
}

describe('the corner of a bumper', () => {
  test.each<[string, DetectorLabel, Box, SegmentLabel, SegmentLabel | null]>([
    ['a scratch before the front wheel', 'scratch', at(1, 4), 'front_fender_left', 'front_bumper'],
    ['a crack behind the rear wheel', 'crack', at(22, 4), 'quarter_panel_left', 'rear_bumper'],
    ['a dent there is in sheet metal', 'dent', at(22, 4), 'quarter_panel_left', null],
    ['a crushed corner is not decided', 'panel_damage', at(1, 4), 'front_fender_left', null],
    ['above the arch', 'scratch', at(1, 2), 'front_fender_left', null],
    ['over the wheel', 'scratch', at(4, 3), 'front_fender_left', null],
    ['behind the front wheel', 'scratch', at(7, 4), 'front_fender_left', null],
    ['before the rear wheel', 'scratch', at(16, 4), 'quarter_panel_left', null],
    ['on a door', 'scratch', at(1, 4), 'front_door_left', null],
  ])('%s', (_, label, box, segment, expected) => {
    expect(cornerAt(label, box, segment)).toBe(expected);
  });

  test('on the right the front is at the right of the picture', () => {
    expect(cornerAt('scratch', at(10, 4), 'front_fender_right', RIGHT_FRONT)).toBe('front_bumper');
    expect(cornerAt('scratch', at(4, 4), 'front_fender_right', RIGHT_FRONT)).toBeNull();
  });

  test.each<[string, readonly string[]]>([
    ['no wheel', ['LLFFFFFF', 'FFFFFFFF', 'BFFFFFFF', 'BFFFFFFF', 'BFFFFFFF']],
    ['no bumper near', ['LLFFFFFF', 'FFFFFFFF', 'FFFOOOOF', 'FFFOOOOF', 'FFFOOOOF']],
  ])('is not named with %s', (_, rows) => {
    expect(cornerAt('scratch', at(1, 2), 'front_fender_left', partGrid(...rows))).toBeNull();
  });
});
