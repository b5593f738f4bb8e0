import { expect, it } from 'vitest';
import type { ComparedPlace, Comparison } from '../../../../src/engine/compare/comparison.ts';
import { decideRows } from '../../../../src/engine/compare/decide-rows.ts';

it.each([
  [[], 'there is no row 1: the comparison has no rows.'],
  [['3', '2'], 'there is no row 1: the rows are 2, 3.'],
])('refuses a row that is none of %j', (rows, message) => {
  const places = rows.map((row) => ({ row }) as ComparedPlace);
  expect(() =>
    decideRows({ places } as unknown as Comparison, new Map([['1', { decision: 'new' }]])),
  ).toThrow(message);
});
