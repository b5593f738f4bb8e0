import { expect, test } from 'vitest';
import { fitsPart } from '../../../src/domain/possible-types.ts';
import { isUnlisted, STATED_SUBTYPES, UNLISTED_PARTS } from '../../../src/domain/unlisted-parts.ts';
import { TABLES } from '../../helpers/pricing/assessments.ts';

test.each(UNLISTED_PARTS)('$part, next to which $subtype is, can have panel damage', ({ part }) =>
  expect(fitsPart('panel_damage', part)).toBe(true),
);

test.each(STATED_SUBTYPES.filter(isUnlisted))('%s has one price row, with its source', (subtype) => {
  const rows = TABLES.parts.components.filter(({ subtypes }) => subtypes.includes(subtype));
  expect(rows).toHaveLength(1);
  expect(rows[0]?.source).toMatch(/\w{3}/);
});

test.each(['missing_part', 'misaligned_part', 'constructor', undefined])('%s is of the part itself', (word) =>
  expect(isUnlisted(word)).toBe(false),
);
