import { expect, it } from 'vitest';
import { exceedsDepth, parseCommentedJson, parseJson } from '../../../src/lib/json.ts';

const LONG = 'k'.repeat(500);

it.each([
  ['{"a": 1}', { a: 1 }],
  ['\uFEFF[1]', [1]],
])('reads %j', (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

it.each([
  ['{\n  "a": 1,\n  "b" 2\n}', /line 3/],
  ['', /end of JSON/],
  // Node names no position for such a token, and quotes the text around it with its line breaks.
  ['{"a": 1,\n\n"b": x,\n"c": 2}', /^Unexpected token 'x' in JSON \(line 3\)$/],
  [`$ vehi ${'regions '.repeat(20)}`, /^Unexpected token '\$' in JSON \(line 1\)$/],
  [`{"a": "${LONG}", "c": x, "d": "${LONG}"}`, /^Unexpected token 'x' in JSON \(line 1\)$/],
  ['{"a": 1,\n"b": ', /line 2/],
  ['{\n"a": tru\n}', /^Unexpected token '\\u\{a\}' in JSON \(line 2\)$/],
])('says where %j is no JSON', (text, why) => {
  expect(() => parseJson(text)).toThrow(why);
});

it.each([
  ['{"a": 1,\n "a": 2}', 'the key a appears twice (line 2)'],
  ['{"claim": {"insured": "Doe", "\\u0069nsured": "Roe"}}', 'the key claim.insured appears twice (line 1)'],
  ['[[0], {"b": ["x,y", {"c": 1,\n\n"c" : 1}]}]', 'the key [1].b[1].c appears twice (line 3)'],
  ['{"\\u001b[2J": 1, "\\u001b[2J": 2}', 'the key \\u{1b}[2J appears twice (line 1)'],
  [`{"${LONG}": 1, "${LONG}": 2}`, `the key ${'k'.repeat(120)}… appears twice (line 1)`],
])('refuses an object with a key twice: %s', (text, why) => {
  expect(() => parseJson(text)).toThrow(new Error(why));
});

it.each([
  '{"a": {"a": 1}, "b": [{"a": 1}, {"a": 1}]}',
  '{"a": "a", "b": "\\"a\\":", "c": ["a", "a"], "A": "\\\\"}',
])('reads equal keys of different objects, and texts like keys: %s', (text) => {
  expect(parseJson(text)).toEqual(JSON.parse(text));
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
  expect(exceedsDepth(text, levels)).toBe(deeper);
});

it.each([
  ['{"a": 1, // one\n "b": [2, /* two */ 3,],}', { a: 1, b: [2, 3] }],
  ['{"url": "https://x/*y*/", "c": ",}"}', { url: 'https://x/*y*/', c: ',}' }],
  ['\uFEFF// first\n[1 , /* last */ ]', [1]],
])('reads comments and trailing commas: %s', (text, value) => {
  expect(parseCommentedJson(text)).toEqual(value);
});

it.each([
  ['{"a": 1 /* never closed }', /line 1/],
  ['[1,,]', /JSON/],
  ['[ , ]', /JSON/],
  ['{"a": {,}}', /JSON/],
  ['// a\n{"a": 1, "a": 2,}', /the key a appears twice \(line 2\)/],
])('says what is wrong besides comments: %s', (text, why) => {
  expect(() => parseCommentedJson(text)).toThrow(why);
});
