import { describe, expect, test } from 'vitest';
import { describeCounts } from '../../../src/report/compare/comparison-words.ts';
import { writeIn } from '../../../src/report/languages.ts';
import { describeNextPhotos } from '../../../src/report/next-photos.ts';
import {
  describeDamage,
  describeFindingPart,
  describePart,
  describePartInText,
  describeRepair,
  describeRepairedPlace,
  nameFinding,
} from '../../../src/report/words.ts';

describe('words of a report', () => {
  test.each([
    ['front_door_left', ['mirror_damage'], 'Mirror (front door, left)'],
    ['front_door_left', ['mirror_damage', undefined], 'Front door, left + mirror'],
    ['front_door_left', ['wheel_damage', 'tyre_damage'], 'Wheel + tire (front door, left)'],
  ])('the price row of %s with damages of %j is called %s', (part, subtypes, name) => {
    const damages = subtypes.map((subtype) => ({ subtype }));
    expect(describeRepairedPlace(part, damages)).toBe(name);
  });

  test.each([
    ['scratch', 'rocker_damage', 'Rocker scratch'],
    ['paint_damage', 'wheel_damage', 'Wheel chipped or peeling paint'],
    ['glass_damage', 'headlight_damage', 'Broken lamp'],
  ])('%s with subtype %s is called "%s"', (type, subtype, words) => {
    expect(describeDamage(type, subtype)).toBe(words);
  });

  test.each([
    ['panel_damage', undefined, 'severely bent or torn, Hood'],
    ['panel_damage', 'wheel_damage', 'wheel severely bent or torn, Hood'],
    ['dent', undefined, 'severe dent, Hood'],
    ['panel_damage', 'missing_part', 'missing part, Hood'],
  ] as const)('a %s with subtype %s is "%s": what is missing has no degree', (type, subtype, words) => {
    expect(nameFinding({ type, subtype, severity: 'severe', part: 'hood' })).toBe(words);
  });

  test.each([
    [undefined, 'Quarter panel, right'],
    ['part', 'Quarter panel, right (or the next part?)'],
    ['side', 'Quarter panel (left or right?)'],
  ] as const)('a part with %s open is named as far as it is known: %s', (uncertain, words) => {
    expect(describeFindingPart({ part: 'quarter_panel_right', uncertain })).toBe(words);
  });

  test.each([
    ['en', 'side_window_fl', 'front left side window'],
    ['en', 'trunk_lid', 'trunk lid / tailgate'],
    ['de', 'trunk_lid', 'Heckdeckel, Heckklappe'],
  ] as const)('in a sentence in %s, %s is the %s', (language, part, words) => {
    expect(describePartInText(part, writeIn(language))).toBe(words);
  });

  test.each([
    ['handle_mirror_and_moldings', 'Handle, mirror and moldings'],
    ['constructor', 'Constructor'],
  ])('a line for %s reads "%s"', (part, words) => {
    expect(describePart(part)).toBe(words);
  });

  const photo = { order: 1, area: null, damage_id: null, light: 'any', reason: 'far' } as const;
  const asked = (code: 'view' | 'part' | 'place_to_check', place: string, distance_m: number) => {
    return { ...photo, parts: [], code, place, distance_m, message: `${place}, ${distance_m} m: why` };
  };
  const hood = asked('place_to_check', 'the hood', 0.6);
  const views = [asked('view', 'the rear', 2), asked('part', 'the roof from above', 2)];
  const rear = 'the rear from 2\u00A0m';
  test.each([
    ['none', [], undefined, null],
    ['one place to check', [hood], undefined, 'the place to check from 0.6\u00A0m.'],
    [
      'those to check as one, others counted',
      [hood, hood, ...views],
      2,
      `the places to check from 0.6\u00A0m, ${rear} and 1 more.`,
    ],
    ['all of them', views, undefined, `${rear}, the roof from above.`],
  ] as const)('photos asked for are one sentence: %s', (_, next, most, words) => {
    expect(describeNextPhotos(next, most)).toBe(words);
  });

  test('a part is named as in the middle of a sentence, in French', () => {
    const roof = {
      ...asked('part', 'the roof from above', 2),
      area: 'top' as const,
      parts: ['roof' as const],
    };
    const said = describeNextPhotos([hood, roof], undefined, writeIn('fr'));
    expect(said).toMatch(/, pavillon vu du dessus\.$/);
  });

  test('one change is counted without a plural, in French', () => {
    const counts = { new: 1, changed: 0, repaired: 0 };
    const one = { counts, places: [] } as unknown as Parameters<typeof describeCounts>[0];
    expect(describeCounts(one, writeIn('fr'))).not.toMatch(/[01]\s\p{L}/u);
    expect(describeCounts(one)).toBe('1 new · 0 changed · 0 repaired');
  });

  test('a repair is named by its row, and one without a row is spelled out', () => {
    expect(['pdr', 'spot_repair'].map((type) => describeRepair(type))).toEqual([
      'Paintless dent repair',
      'Spot repair',
    ]);
  });
});
