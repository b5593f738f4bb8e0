import { describe, expect, it } from 'vitest';
import { amountAboveZero, collect, whole, within } from '../../../../src/cli/terminal/option-values.ts';

describe('values of options', () => {
  it.each([
    [whole(1), '12', 12],
    [whole(0, 65_535), '0', 0],
    [within(0, 1), '0.5', 0.5],
    [within(0), '1e3', 1000],
    [amountAboveZero, '0.01', 0.01],
  ])('%o takes %s', (parse, value, number) => {
    expect(parse(value)).toBe(number);
  });

  it.each([
    [whole(1), '0', 'A whole number of at least 1 is needed.'],
    [whole(1), '1.5', 'A whole number of at least 1 is needed.'],
    [whole(1, 256), '257', 'A whole number from 1 to 256 is needed.'],
    [whole(0), ' ', 'A whole number of at least 0 is needed.'],
    [within(0, 1), 'abc', 'A number from 0 to 1 is needed.'],
    [within(0, 1), '1.01', 'A number from 0 to 1 is needed.'],
    [within(0), 'Infinity', 'A number of at least 0 is needed.'],
    [within(0), '-1', 'A number of at least 0 is needed.'],
    [amountAboveZero, '0', 'An amount above zero is needed.'],
    [amountAboveZero, '', 'An amount above zero is needed.'],
  ])('%o refuses "%s"', (parse, value, message) => {
    expect(() => parse(value)).toThrow(message);
  });

  it('keeps every value of a repeated option in its order', () => {
    expect(collect('b', collect('a'))).toEqual(['a', 'b']);
  });
});
