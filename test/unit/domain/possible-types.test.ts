import { expect, test } from 'vitest';
import { fitTypeToPart, listFittingTypes, listPossibleTypes } from '../../../src/domain/possible-types.ts';

test.each([
  ['hood', ['scratch', 'dent', 'rust', 'crack', 'paint_damage', 'panel_damage']],
  ['roof', ['scratch', 'dent', 'rust', 'crack', 'paint_damage', 'glass_damage', 'panel_damage']],
  ['windshield', ['scratch', 'crack', 'glass_damage']],
  ['headlight_left', ['scratch', 'crack', 'paint_damage', 'glass_damage', 'panel_damage']],
] as const)('what damage may be said of a %s', (part, types) => {
  expect(listPossibleTypes(part)).toEqual(types);
});

test('a finding may stay what it is called, or become what its part can have', () => {
  expect(listFittingTypes('windshield', 'scratch')).toEqual(['scratch', 'crack', 'glass_damage']);
  expect(listFittingTypes('hood', 'dent')).not.toContain('glass_damage');
  expect(listFittingTypes('windshield', 'dent')).toEqual(['scratch', 'dent', 'crack', 'glass_damage']);
});

test.each([
  ['dent', 'windshield', 'glass_damage'],
  ['rust', 'headlight_left', 'glass_damage'],
  ['glass_damage', 'hood', 'panel_damage'],
] as const)('a %s that is said to be on a %s is %s', (type, part, fitted) => {
  expect(fitTypeToPart(type, part)).toBe(fitted);
});
