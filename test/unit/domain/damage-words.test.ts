import { expect, test } from 'vitest';
import { DAMAGE_SUBTYPES } from '../../../src/domain/damage.ts';
import file from '../../../src/domain/damage-words.json' with { type: 'json' };
import { describeDamages } from '../../../src/domain/damage-words.ts';

const on = (type: string, more: object = {}) => ({ type: type as 'dent', part: 'hood', ...more });

const SIZED = [
  on('scratch', { sizeCm: 70 }),
  on('panel_damage', { sizeCm: 65 }),
  on('scratch', { sizeCm: 0.3 }),
];
const ALSO = [
  ['scratch', 'rust'],
  ['rust', 'scratch'],
].map((also) => on('dent', { also }));
const lamp = on('glass_damage', { part: 'taillight_left' });
test.each([
  [[on('dent')], 'dent'],
  [[on('dent', { sizeCm: 45.6, also: ['scratch', 'rust'] })], 'dent 46 cm with scratches and rust'],
  [ALSO, 'dents with scratches and rust'],
  [SIZED, 'scratches 70, 1 cm, bent or torn 65 cm'],
  [[lamp, lamp], 'broken lamps'],
  [[on('glass_damage', { part: 'windshield' })], 'broken glass'],
  [[on('panel_damage', { subtype: 'missing_part' })], 'missing part'],
  [[on('panel_damage', { subtype: 'headlight_damage' })], 'broken lamp'],
  [[on('scratch', { subtype: 'headlight_damage' })], 'scratch'],
  [[on('scratch', { subtype: 'trim_damage' })], 'damaged trim'],
  [[on('scratch', { subtype: 'wheel_damage' })], 'wheel scratch'],
  [[on('panel_damage', { subtype: 'rocker_damage' })], 'rocker bent or torn'],
  [[on('dent', { subtype: 'constructor' })], 'dent'],
  [[], ''],
])('%j are %s', (damages, words) => {
  expect(describeDamages(damages)).toBe(words);
});

test('only subtypes have words of their own', () => {
  expect(DAMAGE_SUBTYPES).toEqual(expect.arrayContaining(Object.keys(file.subtypes)));
});
