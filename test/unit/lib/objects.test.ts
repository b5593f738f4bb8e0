import { expect, test } from 'vitest';
import { defined } from '../../../src/lib/objects.ts';

test('fields without a value are left out, null and empty text are values', () => {
  expect(Object.keys(defined({ a: undefined, b: null, c: '', d: 0 }))).toEqual(['b', 'c', 'd']);
});
