import { describe, expect, test } from 'vitest';
import { locate } from '../../../../src/domain/sight/locate.ts';
import { listVisibleParts } from '../../../../src/domain/sight/part-map.ts';
import { createScene } from '../../../../src/domain/sight/photo-scene.ts';
import { findPanelByLayout } from '../../../../src/domain/sight/vehicle-geometry.ts';
import { partGrid } from '../../../helpers/photos/part-grid.ts';

// Doors, wheels, lamps and bumpers only: the fender, the quarter panel and the roof are missing from the mask.
const WEAK = partGrid('............', '....DDEE....', 'LB..DDEE..AR', 'BBOODDEEOORR', '............');
const size = { width: 1200, height: 500 };
const at = (column: number, row: number) => ({
  x: column * 100 + 10,
  y: row * 100 + 10,
  width: 80,
  height: 80,
});

describe('where the mask is silent the layout of the car decides', () => {
  test.each([
    ['between front door and front lamp', at(2, 2), 'front_fender_left'],
    ['between rear door and rear lamp', at(9, 2), 'quarter_panel_left'],
    ['above the doors', at(5, 0), 'roof'],
    ['beyond the rear lamp', { x: 1130, y: 330, width: 60, height: 60 }, 'rear_bumper'],
  ])('%s', (_, box, panel) => {
    expect(findPanelByLayout(box, listVisibleParts(WEAK, size), 'left')).toBe(panel);
  });

  test('next to the doors and not past the middle of a lamp it is the panel, without a lamp too', () => {
    const seen = listVisibleParts(WEAK, size);
    const lampless = seen.filter(({ label }) => label !== 'taillight_left');
    const lamp = seen.find(({ label }) => label === 'taillight_left')?.box ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    };
    const onLamp = { x: lamp.x + lamp.width / 2 - 20, y: lamp.y, width: 40, height: 40 };
    expect(findPanelByLayout(onLamp, seen, 'left')).toBe('quarter_panel_left');
    expect(findPanelByLayout(onLamp, lampless, 'left')).toBe('quarter_panel_left');
  });

  test('on a door it says nothing', () => {
    expect(findPanelByLayout(at(5, 2), listVisibleParts(WEAK, size), 'left')).toBeNull();
  });

  test('a car seen from its right points to the right', () => {
    const right = partGrid('............', '....eedd....', '.R..eedd..B.', '.R..eedd..B.', '............');
    expect(findPanelByLayout(at(8, 2), listVisibleParts(right, size), 'right')).toBe('front_fender_right');
    expect(findPanelByLayout(at(3, 2), listVisibleParts(right, size), 'right')).toBe('quarter_panel_right');
  });

  test('a dent there is placed by it, and says so', () => {
    const placement = locate(
      { label: 'dent', box: at(3, 2), confidence: 0.9, score: 0.9 },
      createScene(WEAK, size, 'left_side'),
    );
    expect(placement).toMatchObject({
      located: { part: 'front_fender_left', explain: [{ rule: 'locate.vehicle_layout' }] },
    });
  });
});
