import { expect, test } from 'vitest';
import { settleLabel } from '../../../../src/vision/judge/settle-label.ts';

test.each([
  ['without a classifier', 'rust', undefined, 'rust'],
  ['ruled out, another named', 'rust', { rust: 0.02, scratch: 0.9 }, 'scratch'],
  ['ruled out, nothing named', 'rust', { rust: 0.02, scratch: 0.49, dent: 0.49 }, 'rust'],
  ['not ruled out', 'rust', { rust: 0.05, scratch: 0.9 }, 'rust'],
  ['a class that the classifier does not know', 'rust', { dent: 0.5 }, 'dent'],
] as const)('%s', (_, label, kinds, settled) => {
  expect(settleLabel(label, kinds && { damage: 0.9, kinds })).toBe(settled);
});
