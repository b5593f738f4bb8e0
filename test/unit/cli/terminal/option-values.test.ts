import { describe, expect, it } from 'vitest';
import {
  collect,
  parseNumberBetween,
  parsePath,
  parseWholeBetween,
} from '../../../../src/cli/terminal/option-values.ts';

describe('values of options', () => {
  it.each([
    [parseWholeBetween(1), '12', 12],
    [parseWholeBetween(0, 65_535), '0', 0],
    [parseNumberBetween(0, 1), '0.5', 0.5],
    [parseNumberBetween(0), '1e3', 1000],
  ])('%o takes %s', (parse, value, number) => {
    expect(parse(value)).toBe(number);
  });

  it.each([
    [parseWholeBetween(1), '0', 'A whole number of at least 1 is needed.'],
    [parseWholeBetween(1), '1.5', 'A whole number of at least 1 is needed.'],
    [parseWholeBetween(1, 256), '257', 'A whole number from 1 to 256 is needed.'],
    [parseWholeBetween(0), ' ', 'A whole number of at least 0 is needed.'],
    [parseNumberBetween(0, 1), 'abc', 'A number from 0 to 1 is needed.'],
    [parseNumberBetween(0, 1), '1.01', 'A number from 0 to 1 is needed.'],
    [parseNumberBetween(0), 'Infinity', 'A number of at least 0 is needed.'],
    [parseNumberBetween(0), '-1', 'A number of at least 0 is needed.'],
    [parsePath, '', 'It is empty; a variable in the command may be unset.'],
  ])('%o refuses "%s"', (parse, value, message) => {
    expect(() => parse(value)).toThrow(message);
  });

  it('takes a path as it is', () => {
    expect(parsePath('a b')).toBe('a b');
  });

  it('keeps every value of a repeated option in its order', () => {
    expect(collect('b', collect('a'))).toEqual(['a', 'b']);
  });
});
