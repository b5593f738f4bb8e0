import { describe, expect, test } from 'vitest';
import { REPAIR_TYPES } from '../../../src/domain/repair.ts';
import { describeNextPhotos } from '../../../src/report/next-photos.ts';
import {
  countDamages,
  describeDamage,
  describeFindPart,
  describePart,
  describeRepair,
  describeSupplementLine,
  humanise,
} from '../../../src/report/words.ts';

describe('words of a report', () => {
  const rows = [
    ['cosmetic', 'Cosmetic repair'],
    ['pdr', 'Paintless dent repair'],
    ['panel_repair', 'Panel repair'],
    ['replacement', 'Replacement'],
    ['structural', 'Structural repair'],
  ] as const;

  test.each(rows)('%s is called "%s"', (type, words) => {
    expect(describeRepair(type)).toBe(words);
  });

  test.each([
    ['scratch', undefined, 'Scratch'],
    ['scratch', 'rocker_damage', 'Rocker scratch'],
    ['paint_damage', 'wheel_damage', 'Wheel chipped or peeling paint'],
    ['panel_damage', 'wheel_damage', 'Wheel bent or torn'],
    ['glass_damage', 'headlight_damage', 'Broken lamp'],
    ['panel_damage', 'missing_part', 'Missing part'],
  ])('%s with subtype %s is called "%s"', (type, subtype, words) => {
    expect(describeDamage(type, subtype)).toBe(words);
  });

  test.each([
    [undefined, 'Quarter panel, right'],
    ['part', 'Quarter panel, right (or the next part?)'],
    ['end', 'Quarter panel (front or rear?)'],
    ['side', 'Quarter panel (left or right?)'],
  ] as const)('a part with %s open is named as far as it is known: %s', (uncertain, words) => {
    expect(describeFindPart({ part: 'quarter_panel_right', uncertain })).toBe(words);
  });

  test.each([
    ['handle_mirror_and_mouldings', 'Handle, mirror and mouldings'],
    ['emblems_lamps_and_trim', 'Emblems, lamps and trim'],
    ['wheel_alignment', 'Wheel alignment'],
    ['constructor', 'Constructor'],
  ])('a line for %s reads "%s"', (part, words) => {
    expect(describePart(part)).toBe(words);
  });

  test.each([
    ['rocker_panel', 'front_door_left/rocker_panel/rpr', 'Rocker panel (Front door, left)'],
    ['front_bumper', 'front_bumper/rr', 'Front bumper'],
    ['paint_materials', 'paint_materials/add', 'Paint materials'],
  ])('a supplement names the side of %s by %s', (part, id, words) => {
    expect(describeSupplementLine({ part, line_id: id })).toBe(words);
  });

  test('photos that are asked for in the same words are one line', () => {
    const asked = (order: number, place: string, distance: number, why: string) => ({
      order,
      code: 'view' as const,
      area: null,
      parts: [],
      damage_id: null,
      distance_m: distance,
      light: 'any' as const,
      reason: 'far' as const,
      message: `${place}, ${distance} m: ${why}`,
    });
    const lines = describeNextPhotos([
      asked(1, 'the rear', 2, 'no photo shows it'),
      asked(2, 'the hood', 0.6, 'a possible damage'),
      asked(3, 'the left fender', 0.6, 'a possible damage'),
      asked(4, 'the roof', 2, 'a possible damage'),
    ]);
    expect(lines).toEqual([
      { order: '1', words: 'the rear, 2\u00A0m: no photo shows it' },
      { order: '2–3', words: 'a photo each of the hood and the left fender, 0.6\u00A0m: a possible damage' },
      { order: '4', words: 'the roof, 2\u00A0m: a possible damage' },
    ]);
  });

  test.each([
    [0, 0, 'No damage found'],
    [0, 3, 'No certain damage'],
    [1, 3, '1 damage'],
    [2, 0, '2 damages'],
  ])('%i damages and %i places to check are "%s"', (damages, toCheck, words) => {
    expect(countDamages(damages, toCheck)).toBe(words);
  });

  test('every repair type of the contract is in the table above', () => {
    expect(rows.map(([type]) => type).sort()).toEqual([...REPAIR_TYPES].sort());
  });

  test('a type that is not known is spelled out', () => {
    expect(describeRepair('spot_repair')).toBe('Spot repair');
    expect(humanise('pdr_and_paint')).toBe('PDR and paint');
  });
});
