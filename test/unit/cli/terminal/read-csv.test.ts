import { expect, it } from 'vitest';
import { readCsv } from '../../../../src/cli/terminal/read-csv.ts';

it.each([
  ['commas', ','],
  ['semicolons', ';'],
  ['tabs', '\t'],
])('a list with %s is read', (_, mark) => {
  const text = `vehicle_id${mark}folder\nv1${mark}"a, b; c"\n`;
  expect(readCsv(text, (fault) => new Error(fault))).toEqual([
    { record: ['vehicle_id', 'folder'], line: 1 },
    { record: ['v1', 'a, b; c'], line: 2 },
  ]);
});
