import { expect, test } from 'vitest';
import { gradeDamage } from '../../../../src/domain/grading/grade.ts';

const dent = { type: 'dent', part: 'hood' } as const;

test.each([
  [
    'a measured size',
    { ...dent, longSideCm: 12.34, partShare: 0.126 },
    { long_side_cm: 12.3, part_share: 0.13 },
  ],
  [
    'an assumed size, and no share',
    { ...dent, longSideCm: null, assumedSizeCm: 20.06, partShare: null },
    { long_side_cm: null, assumed_close_up_cm: 20.1, part_share: null },
  ],
  [
    'a safety part',
    { type: 'glass_damage', part: 'windshield', longSideCm: 5, partShare: null } as const,
    { long_side_cm: 5, part_share: null },
  ],
])('says by what it graded: %s', (_, input, inputs) => {
  const { score, explain } = gradeDamage(input);
  expect(explain).toEqual([{ rule: `severity.${input.type}`, inputs: { ...inputs, score } }]);
});
