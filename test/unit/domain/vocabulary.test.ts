import { expect, test } from 'vitest';
import * as wire from '../../../src/contract/values.ts';
import { TYPE_ALIASES } from '../../../src/domain/aliases.ts';
import { ANGLES, CONDITIONS, DAMAGE_TYPES, PHOTO_TYPES, SEVERITIES } from '../../../src/domain/damage.ts';
import { CURRENCY_CODES } from '../../../src/domain/money.ts';
import { isPartName, PART_NAMES } from '../../../src/domain/parts.ts';

test('the wire and the domain speak the same words', () => {
  expect(wire.DAMAGE_TYPE_VALUES).toEqual(DAMAGE_TYPES);
  expect(wire.TYPE_ALIAS_VALUES).toEqual(Object.keys(TYPE_ALIASES));
  expect(wire.CURRENCY_VALUES).toEqual(CURRENCY_CODES);
  expect(wire.SEVERITY_VALUES).toEqual(SEVERITIES);
  expect(wire.CONDITION_VALUES).toEqual(CONDITIONS);
  expect(wire.PHOTO_TYPE_VALUES).toEqual(PHOTO_TYPES);
  expect(wire.ANGLE_VALUES).toEqual(ANGLES);
  expect(wire.PART_VALUES).toEqual(PART_NAMES);
});

test.each(['constructor', '__proto__', 'toString', 'Hood', 'hood '])('%s is not a part', (name) => {
  expect(isPartName(name)).toBe(false);
});
