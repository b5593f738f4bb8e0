import { readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { expect, test } from 'vitest';
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

test.each(DEMO_STATES)(
  'the truth of the demo vehicle lists every photo that is there, and no other (%s)',
  (state) => {
    const files = readdirSync(join(VEHICLE, TRUTH.states[state].folder)).filter((name) =>
      ['.jpg', '.heic'].includes(extname(name)),
    );
    expect(listPhotos(state).map(([name]) => name)).toEqual(files.sort());
  },
);

test('it has views from all round, a clean twin of each, one portrait and one HEIC, in at most 12 MB', () => {
  const angles = new Set(DAMAGED.map(([, { angle }]) => angle));
  expect(angles).toEqual(new Set([...WALK_AROUND, 'top']));
  const shapes = (state: DemoState) =>
    listPhotos(state).map(([name, { width, height }]) => `${name} ${width}x${height}`);
  expect(shapes('clean')).toEqual(shapes('damaged'));
  expect(listPhotos('clean').flatMap(([, { damages }]) => damages)).toEqual([]);
  expect(DAMAGED.filter(([, { width, height }]) => height > width)).toHaveLength(1);
  expect(DAMAGED.filter(([name]) => name.endsWith('.heic'))).toHaveLength(1);
  const sizes = DEMO_STATES.flatMap((state) =>
    listPhotos(state).map(([name]) => statSync(findPhoto(state, name)).size),
  );
  expect(sizes.reduce((all, one) => all + one)).toBeLessThanOrEqual(12e6);
});

test('every planted damage is whole on at least two photos', () => {
  const planted = DAMAGED.flatMap(([, { damages }]) => damages);
  const kinds = new Set(planted.map(({ type }) => type));
  expect(kinds).toEqual(new Set(['glass_damage', 'paint_damage', 'scratch', 'dent', 'rust', 'crack']));
  for (const { id } of planted) {
    const whole = planted.filter((one) => one.id === id && one.visible_share >= 0.9);
    expect([id, whole.length >= 2]).toEqual([id, true]);
  }
});
