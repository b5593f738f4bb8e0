import { readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { WALK_AROUND } from '../../src/domain/sight/walk-around.ts';
import {
  DEMO_STATES,
  type DemoState,
  findPhoto,
  listPhotos,
  TRUTH,
  VEHICLE,
} from '../helpers/photos/demo-vehicle.ts';

const DAMAGED = listPhotos('damaged');

describe('the truth of the demo vehicle', () => {
  test.each(DEMO_STATES)('lists every photo that is there, and no other (%s)', (state) => {
    const files = readdirSync(join(VEHICLE, TRUTH.states[state].folder)).filter((name) =>
      ['.jpg', '.heic'].includes(extname(name)),
    );
    expect(listPhotos(state).map(([name]) => name)).toEqual(files.sort());
  });

  test('has views from all round, a clean twin of each, one portrait and one HEIC, in at most 12 MB', () => {
    const angles = new Set(DAMAGED.map(([, { angle }]) => angle));
    expect(angles).toEqual(new Set([...WALK_AROUND, 'top']));
    const shapes = (state: DemoState) =>
      listPhotos(state).map(([name, { width, height }]) => `${name} ${width}x${height}`);
    expect(shapes('clean')).toEqual(shapes('damaged'));
    expect(listPhotos('clean').flatMap(([, { damages }]) => damages)).toEqual([]);
    expect(DAMAGED.filter(([, { width, height }]) => height > width)).toHaveLength(1);
    expect(DAMAGED.filter(([name]) => name.endsWith('.heic'))).toHaveLength(1);
    expect(DAMAGED.filter(([name]) => name.includes('closeup')).length).toBeGreaterThanOrEqual(3);
    const bytes = DEMO_STATES.flatMap((state) =>
      listPhotos(state).map(([name]) => statSync(findPhoto(state, name)).size),
    );
    expect(bytes.reduce((all, one) => all + one, 0)).toBeLessThanOrEqual(12e6);
  });

  test.each([
    ['scratch', 'front_door_left', 'key_scratch'],
    ['dent', 'rear_door_left', 'door_dent'],
    ['glass_damage', 'taillight_left', 'taillight_damage'],
    ['glass_damage', 'headlight_right', 'headlight_damage'],
    ['dent', 'front_fender_right', 'bent_panel'],
    ['paint_damage', 'hood', 'chipped_paint'],
    ['rust', 'quarter_panel_right', 'corrosion'],
    ['glass_damage', 'windshield', 'windshield_crack'],
  ])('has a %s on %s (%s), whole on at least two photos', (...wanted) => {
    const whole = DAMAGED.filter(([, { damages }]) =>
      damages.some(
        ({ type, part, subtype, visible_share: share }) =>
          share >= 0.9 && `${[type, part, subtype]}` === `${wanted}`,
      ),
    );
    expect(whole.length).toBeGreaterThanOrEqual(2);
  });
});
