import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundHalfAway, toMajor, toMinor } from '../../../src/domain/money.ts';

test.each([
  [1.005, 'USD', 101],
  [0.5, 'JPY', 1],
  [1234.49, 'JPY', 1234],
  [-1.005, 'USD', -101],
] as const)('%d %s is %d minor units', (amount, currency, minor) => {
  expect(toMinor(amount, currency)).toBe(minor);
});

test('minor units survive the way to the wire and back', () => {
  const anyCurrency = fc.constantFrom('USD', 'JPY', 'CNY');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e11 }), anyCurrency, (minor, currency) => {
      expect(toMinor(toMajor(minor, currency), currency)).toBe(minor);
    }),
  );
  expect(Object.is(roundHalfAway(-0.2), 0)).toBe(true);
});
