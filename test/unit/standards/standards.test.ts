import { describe, expect, test } from 'vitest';
import { findStandard, parseStandard, STANDARD_NAMES } from '../../../src/standards/standards.ts';

const ROW = { what: 'dent', types: ['dent'], largest_mm: 15, source: 'our terms', date: '2026-01-01' };
const TABLE = { name: 'ours', title: 'Our terms', version: '1', rows: [ROW] };

describe('a table of fair wear', () => {
  test.each(STANDARD_NAMES)('%s that ships is valid', (name) => {
    expect(parseStandard(JSON.stringify(findStandard(name)), name)).toEqual(findStandard(name));
  });

  test.each<[string, object, RegExp]>([
    ['an unknown type', { ...TABLE, rows: [{ ...ROW, types: ['dint'] }] }, /rows\[0\]\.types.*dent/],
    ['an unknown part', { ...TABLE, rows: [{ ...ROW, not_on: ['rof'] }] }, /rows\[0\]\.not_on.*roof/],
    ['a limit below 0', { ...TABLE, rows: [{ ...ROW, largest_mm: -1 }] }, /rows\[0\]\.largest_mm/],
    ['a limit as text', { ...TABLE, rows: [{ ...ROW, largest_mm: '15' }] }, /rows\[0\]\.largest_mm/],
    ['no source', { ...TABLE, rows: [{ ...ROW, source: undefined }] }, /rows\[0\]\.source/],
    ['a day in words', { ...TABLE, rows: [{ ...ROW, date: 'today' }] }, /rows\[0\]\.date/],
    ['an unknown field', { ...TABLE, rows: [{ ...ROW, larges_mm: 3 }] }, /larges_mm/],
    ['no rows', { ...TABLE, rows: [] }, /rows/],
    [
      'a row that is never used',
      { ...TABLE, rows: [ROW, { ...ROW, parts: ['hood'] }] },
      /rows\[1\] \(dent\) is never used/,
    ],
  ])('%s is refused by its place', (_, table, message) => {
    expect(() => parseStandard(JSON.stringify(table), 'ours.json')).toThrow(
      expect.objectContaining({
        kind: 'input',
        code: 'INVALID_STANDARD',
        message: expect.stringMatching(message),
      }),
    );
  });

  test('what is not JSON is refused by the name of the file', () => {
    expect(() => parseStandard('{', 'ours.json')).toThrow(/^ours\.json is not valid JSON/);
  });
});
