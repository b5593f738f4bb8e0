import { expect, it } from 'vitest';
import { isNestedDeeper, parseJson, readOwnJson } from '../../../src/lib/json.ts';

it.each([
  ['{"a": 1}', { a: 1 }],
  ['\uFEFF[1]', [1]],
])('reads %j', (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

it.each([
  ['{\n  "a": 1,\n  "b" 2\n}', /line 3/],
  ['', /end of JSON/],
])('says where %j is no JSON', (text, why) => {
  expect(() => parseJson(text)).toThrow(why);
});

it.each([
  ['lists', '['.repeat(101) + ']'.repeat(101)],
  ['objects', `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
])('refuses %s that are nested too deeply to be walked', (_, text) => {
  expect(() => parseJson(text)).toThrow('nested deeper than 100 levels');
});

it.each([
  ['[[1],[2],[3]]', 2, false],
  ['[[[1]]]', 2, true],
  ['["[[[","\\"[[["]', 1, false],
])('counts levels of %s', (text, levels, deeper) => {
  expect(isNestedDeeper(text, levels)).toBe(deeper);
});

it('reads a file of the package', () => {
  const file = new URL('../../../package.json', import.meta.url);
  expect(readOwnJson<{ name: string }>(file).name).toBe('vehi');
});
