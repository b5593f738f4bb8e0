import { describe, expect, it, test } from 'vitest';
import { chooseKind, scoreFinds } from '../../../../../models/evaluate/finds/finds-score.ts';
import { judgeFind, touches } from '../../../../../models/evaluate/finds/touch.ts';
import { scoreVehicle } from '../../../../../models/evaluate/finds/vehicle-finds.ts';
import { box, damage, find, photo } from './labelled-finds.ts';

describe('touch', () => {
  test.each([
    ['a tenth in common', box(0), box(8), true],
    ['less', box(0), box(9), false],
    ['half of the smaller inside', box(0, 100, 100), box(95), true],
    ['apart', box(0), box(50), false],
  ])('%s', (_, a, b, wanted) => expect(touches(a, b)).toBe(wanted));

  test.each([
    ['a sure damage', box(0), [damage(2)], 'right'],
    ['an unsure damage alone', box(0), [damage(2, { sure: false })], 'unsure'],
    ['both', box(0), [damage(2), damage(0, { sure: false })], 'right'],
    ['nothing', box(50), [damage(2)], 'wrong'],
    ['ten times its area', box(0, 100), [damage(2)], 'right'],
    ['eleven times its area', box(0, 110), [damage(2)], 'too_large'],
    ['eleven times a sure one of two', box(0, 110), [damage(2), damage(50, { sure: false })], 'right'],
  ])('a find on %s', (_, at, damages, verdict) => {
    const judged = judgeFind(at, damages);
    expect(judged.verdict).toBe(verdict);
    expect(judged.touched.length > 0).toBe(verdict === 'right');
  });
});

describe('scoreFinds', () => {
  it('counts damages, photos, alarms and names', () => {
    const score = scoreFinds([
      {
        photo: photo([
          damage(0),
          damage(100, { severity: 'severe', type: 'lamp_damage', part: 'headlight_right' }),
          damage(200, { sure: false }),
        ]),
        finds: [find(0), find(1, { part: 'front_door_right', type: 'dent' }), find(200), find(300)],
      },
      { photo: photo([damage(0, { part: 'other:rocker' })]), finds: [] },
      { photo: photo([damage(0, { sure: false })]), finds: [find(50)] },
      { photo: photo([]), finds: [find(0)] },
      { photo: photo([]), finds: [] },
    ]);
    expect(score).toEqual({
      damagedPhotos: 2,
      cleanPhotos: 2,
      damages: 3,
      moderateOrWorseDamages: 1,
      found: 1 / 3,
      foundModerateOrWorse: 0,
      foundTightly: 1 / 3,
      damagedPhotosRight: 0.5,
      precision: 0.5,
      cleanAlarms: 0.5,
      right: 2,
      wrong: 2,
      tooLarge: 0,
      unsure: 1,
      kindRight: 0.5,
      partRight: 0.5,
      undoubtedPartRight: 0.5,
      sideRight: 0.5,
    });
    const shares = { found: null, precision: null, cleanAlarms: null, sideRight: null };
    expect(scoreFinds([])).toMatchObject(shares);
  });

  test.each([
    ['scratch', 'hood', 'surface'],
    ['rust', 'hood', 'surface'],
    ['crack', 'front_bumper', 'body'],
    ['glass_damage', 'windshield', 'glass'],
    ['glass_damage', 'taillight_left', 'lamp'],
    ['lamp_damage', 'front_bumper', 'lamp'],
  ] as const)('%s on %s is of the kind %s', (type, part, kind) => expect(chooseKind(type, part)).toBe(kind));
});

it('scores a walk-around by its distinct damages', () => {
  const photos = [
    photo([damage(0, { vehicleDamage: 'd1' }), damage(100, { vehicleDamage: 'd2' })]),
    photo([damage(50, { vehicleDamage: 'd1' }), damage(200, { vehicleDamage: 'd3', sure: false })]),
  ];
  const at = (photo: number, x: number) => ({ photo, box: box(x) });
  const finds = [[at(0, 500), at(1, 50)], [at(1, 200)], [at(0, 600)]].map((evidence) => ({ evidence }));
  const score = { vehicle: 'car', photos: 2, damages: 2, found: 1, wrong: 1 };
  expect(scoreVehicle('car', photos, finds)).toEqual(score);
});
