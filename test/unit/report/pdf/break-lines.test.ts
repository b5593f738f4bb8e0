import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { breakLines, fitLine } from '../../../../src/report/pdf/break-lines.ts';

/** Every character one point wide. */
const measure = (text: string) => Array.from(text).length;

describe('breakLines', () => {
  it.each([
    ['between words', 'one two three', 7, ['one two', 'three']],
    ['an empty text is one empty line', '', 5, ['']],
    ['a long word after a separator', 'IMG_0001_front.jpg', 10, ['IMG_0001_', 'front.jpg']],
    ['a word without separators', 'abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['what follows a broken word', 'abcdef gh', 4, ['abcd', 'ef', 'gh']],
  ])('%s', (_, text, width, lines) => expect(breakLines(text, width, measure)).toEqual(lines));

  it('measures no part of a long word twice in a row', () => {
    const measured: string[] = [];
    breakLines('abcdefghij', 4, (text) => measure(measured[measured.push(text) - 1] ?? ''));
    expect(measured.filter((text, at) => text === measured[at - 1])).toEqual([]);
  });

  it('never writes a line wider than asked and never loses a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.integer({ min: 1, max: 40 }),
        (text, width) => {
          const lines = breakLines(text, width, measure);
          for (const line of lines) expect(measure(line)).toBeLessThanOrEqual(width);
          expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
        },
      ),
    );
  });
});

describe('fitLine', () => {
  it('keeps what fits and marks what is cut', () => {
    expect(fitLine('short', 10, measure)).toBe('short');
    expect(fitLine('far too long', 6, measure)).toBe('far t…');
  });
});
