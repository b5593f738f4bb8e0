import { expect, it } from 'vitest';
import { readSetting, SETTINGS, type SettingName } from '../../../src/config/settings.ts';
import { ClaimSchema } from '../../../src/contract/claim.ts';
import type { Schema } from '../../../src/lib/check-value.ts';

it.each(['min_confidence', 'certain_from', 'to_check_from', 'threads'] satisfies SettingName[])(
  'a blank %s is refused, not taken for 0, and so is a number that is not decimal',
  (name) => {
    for (const blank of ['', ' ', '\t', '0x1'])
      expect(() => readSetting(name, blank, 'the environment')).toThrow(
        `the environment: ${name} is ${JSON.stringify(blank)}; a`,
      );
    expect(readSetting(name, ' 1 ', 'the environment')).toBe(1);
  },
);

it('an inspector is as long as the contract allows', () => {
  expect((SETTINGS.inspector.schema as Schema).maxLength).toBe(
    (ClaimSchema.properties.inspector as Schema).maxLength,
  );
});

it.each(['inspector', 'font'] satisfies SettingName[])('a blank %s is refused', (name) => {
  for (const blank of ['', '  '])
    expect(() => readSetting(name, blank, 'config set')).toThrow(
      `config set: ${name} is ${JSON.stringify(blank)}; text is needed.`,
    );
});
