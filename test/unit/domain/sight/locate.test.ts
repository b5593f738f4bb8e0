import { describe, expect, test } from 'vitest';
import type { Box } from '../../../../src/domain/geometry.ts';
import type { Angle } from '../../../../src/domain/photo.ts';
import type { DetectorLabel } from '../../../../src/domain/sight/detection.ts';
import { locate } from '../../../../src/domain/sight/locate.ts';
import { createScene } from '../../../../src/domain/sight/photo-scene.ts';
import { partGrid } from '../../../helpers/photos/part-grid.ts';

// A left side, front to the left, 100 pixels per cell: bumper, fender, doors, quarter, rear bumper; rocker, wheels.
const LEFT_SIDE = partGrid(
  '............',
  '...WDDEEQw..',
  'LHFFDDEEQQA.',
  'BFFFDDEEQQR.',
  'BOOKKKKKOOR.',
  '............',
);
const FRONT = partGrid('..........', '..WWWWWW..', '.HHHHHHHH.', 'lBBBBBBBBL', '.BBBBBBBB.', '.BBBBBBBB.');
const at = (column: number, row: number, width = 100, height = 100): Box => ({
  x: column * 100,
  y: row * 100,
  width,
  height,
});

function place(label: DetectorLabel, box: Box, map = LEFT_SIDE, angle: Angle | null = 'left_side') {
  const photo = { width: 100 * map.width, height: 100 * map.height };
  return locate({ label, box, confidence: 0.9, score: 0.9 }, createScene(map, photo, angle));
}

describe('the part of a damage', () => {
  const OVER_WHEEL = { x: 200, y: 340, width: 100, height: 160 };
  test.each<[string, DetectorLabel, Box, string, string | undefined]>([
    ['a dent on the front door', 'dent', at(4, 2), 'front_door_left', undefined],
    ['rust on the quarter panel', 'rust', at(8, 2), 'quarter_panel_left', undefined],
    ['a scraped front wheel', 'scratch', at(1, 4, 200), 'front_fender_left', 'wheel_damage'],
    ['a scratch that takes in more of the wheel', 'scratch', OVER_WHEEL, 'front_fender_left', undefined],
    ['a scraped rear wheel', 'scratch', at(8, 4, 200), 'quarter_panel_left', 'wheel_damage'],
    ['a dented rocker goes to the door above it', 'dent', at(6, 4, 100), 'rear_door_left', 'rocker_damage'],
    ['a broken front lamp', 'lamp_damage', at(0, 2), 'headlight_left', 'headlight_damage'],
    ['a broken tail lamp', 'lamp_damage', at(10, 2), 'taillight_left', 'taillight_damage'],
    ['a scratched front lamp', 'scratch', at(0, 2), 'headlight_left', undefined],
    ['a cracked front lamp', 'crack', at(0, 2), 'headlight_left', 'headlight_damage'],
    ['broken glass in the front door', 'glass_damage', at(4, 1), 'side_window_fl', undefined],
    ['broken glass behind the rear door', 'glass_damage', at(6, 1), 'side_window_rl', undefined],
  ])('%s', (_, label, box, part, subtype) => {
    const placement = place(label, box);
    expect(placement).toMatchObject({ located: { part } });
    expect('located' in placement ? placement.located.subtype : 'dropped').toBe(subtype);
  });

  test.each<[string, DetectorLabel, Box]>([
    ['a dent on the window of a door', 'dent', at(4, 1, 60, 40)],
    ['rust on a pane', 'rust', at(3, 1)],
    ['a dent on a lamp', 'dent', at(0, 2)],
  ])('%s is mirrored there', (_, label, box) => {
    expect(place(label, box)).toEqual({ drop: 'implausible' });
  });

  test.each<[string, DetectorLabel, Box]>([
    ['what lies on a wheel', 'scratch', at(1, 4, 200)],
    ['broken glass on a rocker', 'glass_damage', at(5, 4)],
  ])('%s is of an uncertain part', (_, label, box) => {
    expect(place(label, box)).toMatchObject({ located: { uncertainty: 'part' } });
  });

  test('a scratch moved to the corner of a bumper is explained by where the map has it', () => {
    const map = partGrid('LFFFFF', 'FFOOFF', 'FFOOFF', 'BFOOFF');
    expect(place('scratch', at(1, 2), map)).toMatchObject({
      located: {
        part: 'front_bumper',
        explain: [
          { rule: 'locate.mask_overlap', inputs: { segment: 'front_fender_left', overlap: 1 } },
          { rule: 'locate.bumper_corner', inputs: { segment: 'front_bumper' } },
        ],
      },
    });
  });

  test('a crack in the windshield is glass damage', () => {
    const placement = place('crack', at(3, 1, 200), FRONT, 'front');
    expect(placement).toMatchObject({ located: { part: 'windshield', type: 'glass_damage' } });
  });

  test('a scratch wholly on a window is a reflection', () => {
    expect(place('scratch', at(3, 1, 200, 90), FRONT, 'front')).toEqual({ drop: 'implausible' });
  });

  test('what touches no vehicle is dropped', () => {
    expect(place('dent', { x: 1150, y: 10, width: 30, height: 30 })).toEqual({ drop: 'not_on_vehicle' });
  });
});

describe('left and right', () => {
  test('a photo of the right side overrules a door called left', () => {
    expect(place('dent', at(4, 2), LEFT_SIDE, 'right_side')).toMatchObject({
      located: { part: 'front_door_right' },
    });
  });

  test('without a stated angle the doors decide', () => {
    expect(place('dent', at(4, 2), LEFT_SIDE, null)).toMatchObject({ located: { part: 'front_door_left' } });
  });

  test.each([
    ['the vehicle left is in the right half of the picture', at(8, 5, 90, 60), 'fog_light_left'],
    ['the right is in the left half', at(1, 5, 90, 60), 'fog_light_right'],
    ['a headlight keeps its own side', at(9, 3), 'headlight_left'],
  ])('from the front %s', (_, box, part) => {
    expect(place('lamp_damage', box, FRONT, 'front')).toMatchObject({ located: { part } });
  });

  test.each(['glass_damage', 'scratch'] as const)('a side view decides the side of a lamp: %s', (label) => {
    expect(place(label, at(9, 3), FRONT, 'right_side')).toMatchObject({
      located: { part: 'headlight_right', type: label },
    });
  });
});

describe('a find that is two thirds on a lamp and one third on the panel next to it', () => {
  const map = partGrid('QQQ', 'QQQ', 'QAA', 'RRR');
  test.each([
    ['dent', 'dent', 'quarter_panel_left'],
    ['rust', 'rust', 'quarter_panel_left'],
    ['lamp_damage', 'glass_damage', 'taillight_left'],
  ] as const)('%s', (label, type, part) => {
    expect(place(label, at(0, 2, 300), map, 'rear_left')).toMatchObject({ located: { type, part } });
  });
});
