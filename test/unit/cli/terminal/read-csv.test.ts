import { expect, it } from 'vitest';
import { readCsv } from '../../../../src/cli/terminal/read-csv.ts';

it.each([
  ['commas', ','],
  ['semicolons', ';'],
  ['tabs', '\t'],
])('a list with %s is read', (_, mark) => {
  const text = `Vehicle_ID ${mark}folder\n v1${mark}"a, b; c"\n\nv2\n`;
  expect(readCsv(text, ['vehicle_id', 'folder'], (fault) => new Error(fault))).toEqual([
    { cells: { vehicle_id: 'v1', folder: 'a, b; c' }, line: 2 },
    { cells: { vehicle_id: 'v2' }, line: 4 },
  ]);
});

it.each([
  ['other columns', 'id,path\n1,2\n', 'line 1: found id, path; needed: the columns vehicle_id,folder'],
  ['a column twice', 'vehicle_id,folder,Folder\na,b,c\n', 'line 1: the column folder is given twice'],
  ['nothing', '', 'line 1: found nothing; needed: the columns vehicle_id,folder'],
  ['a cell too many', 'vehicle_id,folder\na,b,c\n', 'line 2: more cells than line 1 has columns'],
  ['an open quote', 'vehicle_id,folder\n"a,b\n', 'line 2: a quotation mark is never closed'],
  ['a quote in a cell', 'vehicle_id,folder\na,b"c\n', 'line 2: a quotation mark within a cell'],
  ['text after a quote', 'vehicle_id,folder\na,"b"c\n', 'line 2: text after a closing quotation mark'],
])('a list with %s is refused by its line', (_, text, fault) => {
  expect(() => readCsv(text, ['vehicle_id', 'folder'], (said) => new Error(said))).toThrow(fault);
});
