import { expect, it } from 'vitest';
import { parseJson, readOwnJson } from '../../../src/lib/json.ts';

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

it('reads a file of the package', () => {
  const file = new URL('../../../package.json', import.meta.url);
  expect(readOwnJson<{ name: string }>(file).name).toBe('vehi');
});
