import { describe, expect, test } from 'vitest';
import type { Angle } from '../../../../src/domain/damage.ts';
import type { Box } from '../../../../src/domain/geometry.ts';
import type { DetectorLabel } from '../../../../src/domain/sight/detection.ts';
import { locate, locateDetection } from '../../../../src/domain/sight/locate.ts';
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
const size = { width: 1200, height: 600 };
const at = (column: number, row: number, width = 100, height = 100): Box => ({
  x: column * 100,
  y: row * 100,
  width,
  height,
});

function place(
  label: DetectorLabel,
  box: Box,
  map = LEFT_SIDE,
  angle: Angle | null = 'left_side',
  photo = size,
) {
  return locate({ label, box, confidence: 0.9, score: 0.9 }, createScene(map, photo, angle));
}

describe('the part of a damage', () => {
  test.each<[string, DetectorLabel, Box, string, string | undefined]>([
    ['a dent on the front door', 'dent', at(4, 2), 'front_door_left', undefined],
    ['a scratch over the rear door', 'scratch', at(6, 2, 200), 'rear_door_left', undefined],
    ['rust on the quarter panel', 'rust', at(8, 2), 'quarter_panel_left', undefined],
    ['a dent on the fender', 'dent', at(2, 3), 'front_fender_left', undefined],
    [
      'a scraped front wheel goes to the fender around it',
      'scratch',
      at(1, 4, 200),
      'front_fender_left',
      'wheel_damage',
    ],
    [
      'a scratch on the panel that takes in more of the wheel',
      'scratch',
      { x: 200, y: 340, width: 100, height: 160 },
      'front_fender_left',
      undefined,
    ],
    [
      'a scraped rear wheel goes to the quarter panel',
      'scratch',
      at(8, 4, 200),
      'quarter_panel_left',
      'wheel_damage',
    ],
    ['a dented rocker goes to the door above it', 'dent', at(6, 4, 100), 'rear_door_left', 'rocker_damage'],
    ['a broken front lamp', 'lamp_damage', at(0, 2), 'headlight_left', 'headlight_damage'],
    ['a broken tail lamp', 'lamp_damage', at(10, 2), 'taillight_left', 'taillight_damage'],
    ['broken glass in the front door', 'glass_damage', at(4, 1), 'side_window_fl', undefined],
    ['broken glass behind the rear door', 'glass_damage', at(6, 1), 'side_window_rl', undefined],
  ])('%s', (_, label, box, part, subtype) => {
    const placement = place(label, box);
    expect(placement).toMatchObject({ located: { part } });
    expect('located' in placement ? placement.located.subtype : 'dropped').toBe(subtype);
  });

  test.each<[string, DetectorLabel, Box, boolean]>([
    ['glass over a whole windshield', 'glass_damage', at(3, 1), true],
    ['a chip in a windshield', 'glass_damage', at(3, 1, 20, 20), false],
    ['a lamp that is covered whole', 'lamp_damage', at(0, 2), true],
    ['a crack in a lamp', 'lamp_damage', at(0, 2, 40, 40), false],
    ['a broken lamp on a fender', 'lamp_damage', at(2, 3), true],
    ['panel damage on a lamp', 'panel_damage', at(0, 2), true],
    ['a scratch on a wheel', 'scratch', at(1, 4), true],
    ['a scratch next to a wheel', 'scratch', at(1, 3, 100, 150), false],
    ['a dent', 'dent', at(4, 3), false],
  ])('%s is usually intact: %s', (_, label, box, usuallyNoDamage) => {
    expect(place(label, box)).toMatchObject({ located: { usuallyNoDamage } });
  });

  test('a dent at a far wheel is usually on another vehicle', () => {
    const parts = partGrid(...Array(8).fill('QQQQOOOOOOOO'), 'QQQQ........', 'OOO.........', 'OOO.........');
    const photo = { width: 1200, height: 1100 };
    expect(place('dent', at(1, 8, 100, 200), parts, null, photo)).toMatchObject({
      located: { usuallyNoDamage: true },
    });
    expect(place('dent', at(1, 4, 100, 200), parts, null, photo)).toMatchObject({
      located: { usuallyNoDamage: false },
    });
  });

  test.each<[string, DetectorLabel, Box]>([
    ['a dent on the window of a door', 'dent', at(4, 1, 60, 40)],
    ['rust on a pane', 'rust', at(3, 1)],
    ['panel damage on a pane', 'panel_damage', at(3, 1)],
    ['rust on a lamp', 'rust', at(0, 2)],
    ['a dent on a lamp', 'dent', at(0, 2)],
  ])('%s is mirrored there', (_, label, box) => {
    expect(place(label, box)).toEqual({ drop: 'implausible' });
  });

  test('a close-up of parts of both ends does not distinguish front from rear', () => {
    const ends = partGrid('BBBBBB', 'BBBBBB', 'BBRRRR', 'BBRRRR');
    const closeUp = place('scratch', at(0, 0, 600), ends, null);
    expect(closeUp).toMatchObject({ located: { uncertainty: 'end' } });
    expect(place('scratch', at(0, 0, 600), ends, 'front')).toMatchObject({ located: { uncertainty: null } });
  });

  test.each([
    ['the end that a lamp belongs to', ['RRRRRR', 'RRRRRR', 'BBRRRL', 'BBRRRL'], 'front_bumper'],
    [
      'without one, the end most of it was taken for',
      ['RRRRRR', 'RRRRRR', 'BBRRRR', 'BBRRRR'],
      'rear_bumper',
    ],
  ])('in such a close-up everything lies at one end: %s', (_, rows, part) => {
    for (const box of [at(0, 0, 600), at(0, 2)])
      expect(place('scratch', box, partGrid(...rows), null)).toMatchObject({
        located: { part, uncertainty: 'end' },
      });
  });

  test.each([
    ['front', 'front_bumper'],
    ['rear_left', 'rear_bumper'],
  ] as const)('a stated angle says which end such a close-up shows: %s', (angle, part) => {
    const ends = partGrid('BBBBBB', 'BBBBBB', 'BBRRRR', 'BBRRRR');
    for (const box of [at(0, 0, 600), at(4, 2)])
      expect(place('scratch', box, ends, angle)).toMatchObject({ located: { part, uncertainty: null } });
  });

  test('a close-up in which only bumper and wheel are seen, unsurely, does not distinguish front from rear', () => {
    const arch = partGrid('BBBBBB', 'BBBBBB', 'BBBOOO', 'BBBOOO');
    const unsure = { ...arch, certainty: arch.certainty.map(() => 150) };
    expect(place('scratch', at(0, 0, 600), arch, null)).toMatchObject({ located: { uncertainty: null } });
    expect(place('scratch', at(0, 0, 600), unsure, null)).toMatchObject({ located: { uncertainty: 'end' } });
    expect(place('scratch', at(0, 0, 600), unsure, 'rear')).toMatchObject({ located: { uncertainty: null } });
  });

  test('what lies on a wheel is of an uncertain part', () => {
    expect(place('scratch', at(1, 4, 200))).toMatchObject({ located: { uncertainty: 'part' } });
  });

  test('rust on a bumper, which is plastic, is paint damage', () => {
    expect(place('rust', at(0, 3))).toMatchObject({
      located: { part: 'front_bumper', type: 'paint_damage' },
    });
    expect(place('rust', at(2, 3))).toMatchObject({ located: { type: 'rust' } });
  });

  test('a lamp is glass on the wire', () => {
    expect(place('lamp_damage', at(0, 2))).toMatchObject({ located: { type: 'glass_damage' } });
  });

  test('a crack in the windshield is glass damage', () => {
    const placement = place('crack', at(3, 1, 200), FRONT, 'front', { width: 1000, height: 600 });
    expect(placement).toMatchObject({ located: { part: 'windshield', type: 'glass_damage' } });
  });

  test.each<[string, DetectorLabel]>([
    ['dent', 'dent'],
    ['scratch', 'scratch'],
    ['rust', 'rust'],
  ])('a %s wholly on a window is a reflection', (_, label) => {
    expect(place(label, at(3, 1, 200, 90), FRONT, 'front', { width: 1000, height: 600 })).toEqual({
      drop: 'implausible',
    });
  });

  test.each<[string, DetectorLabel, Box]>([
    ['broken glass on a wheel', 'glass_damage', at(1, 4, 200)],
    ['a dent in a tyre', 'dent', at(8, 4, 200)],
    ['a broken lamp in the middle of a door', 'lamp_damage', at(4, 2, 200)],
    ['broken glass on a fender', 'glass_damage', at(1, 3, 200, 90)],
  ])('%s cannot be', (_, label, box) => {
    expect(place(label, box)).toEqual({ drop: 'implausible' });
  });

  test('a large box around the yard under the car is not on the vehicle', () => {
    expect(place('panel_damage', { x: 100, y: 505, width: 900, height: 90 })).toEqual({
      drop: 'not_on_vehicle',
    });
  });

  test.each([
    ['most of the photo and mostly paving', 100, { drop: 'not_on_vehicle' }],
    ['most of the photo, half of it vehicle', 0, undefined],
  ])('a box over %s', (_, y, dropped) => {
    const bumper = partGrid('RRRRRR', 'RRRRRR', 'RRRRRR', '......', '......', '......');
    const photo = { width: 600, height: 600 };
    const placed = place('panel_damage', { x: 0, y, width: 600, height: 600 - y }, bumper, 'rear', photo);
    if (dropped) expect(placed).toEqual(dropped);
    else expect(placed).toHaveProperty('located.part', 'rear_bumper');
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

  test('from the front the vehicle left is in the right half of the picture', () => {
    const photo = { width: 1000, height: 600 };
    const left = place('lamp_damage', at(8, 5, 90, 60), FRONT, 'front', photo);
    const right = place('lamp_damage', at(1, 5, 90, 60), FRONT, 'front', photo);
    expect(left).toMatchObject({ located: { part: 'fog_light_left' } });
    expect(right).toMatchObject({ located: { part: 'fog_light_right' } });
  });

  test('a headlight keeps its own side from the front', () => {
    const photo = { width: 1000, height: 600 };
    expect(place('lamp_damage', at(9, 3), FRONT, 'front', photo)).toMatchObject({
      located: { part: 'headlight_left' },
    });
  });
});

describe('a box at the outline of the vehicle', () => {
  const scene = createScene(LEFT_SIDE, size, 'left_side');
  test.each([
    ['half of which is vehicle', { x: 1050, y: 350, width: 100, height: 100 }, true],
    ['a quarter of which is vehicle', { x: 1050, y: 450, width: 100, height: 100 }, false],
  ])('%s', (_, box, seen) => {
    const detection = { label: 'panel_damage', box, confidence: 0.9, score: 0.9 } as const;
    expect('located' in locateDetection(detection, scene)).toBe(seen);
    expect('located' in locate(detection, scene)).toBe(true);
  });
});

describe('a find that is two thirds on a lamp and one third on the panel next to it', () => {
  const map = partGrid('QQQ', 'QQQ', 'QAA', 'RRR');
  const photo = { width: 300, height: 400 };
  const find = (label: DetectorLabel) =>
    place(label, { x: 0, y: 200, width: 300, height: 100 }, map, 'rear_left', photo);
  test.each([
    ['dent', 'dent', 'quarter_panel_left'],
    ['rust', 'rust', 'quarter_panel_left'],
    ['lamp_damage', 'glass_damage', 'taillight_left'],
  ] as const)('%s', (label, type, part) => {
    expect(find(label)).toMatchObject({ located: { type, part } });
  });
});
