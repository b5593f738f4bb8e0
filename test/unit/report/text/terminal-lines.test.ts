import { expect, test } from 'vitest';
import { wrapText } from '../../../../src/report/text/terminal-lines.ts';

const PLACES = 'a photo each of the hood and the left fender,';

test.each([
  ['between words', `${PLACES} 0.6 m`, `  ${PLACES} 0.6\n  m`],
  ['at the columns of wide characters', '损坏 '.repeat(11), `  ${'损坏 '.repeat(9)}损坏\n  损坏`],
  ['never at a no-break space, which is printed as a blank', `${PLACES} 0.6\u00A0m`, `  ${PLACES}\n  0.6 m`],
  ['never before a percent sign', `${PLACES} 79 %); 90 %`, `  ${PLACES}\n  79 %); 90 %`],
])('lines break %s', (_, text, lines) => {
  expect(wrapText(text, 52, 2)).toBe(lines);
});

test('the first line is as long as the terminal is wide, whatever the indent of the others', () => {
  expect(wrapText(`${PLACES} 0.6 m away`, 50, 0, 8)).toBe(`${PLACES} 0.6\n        m away`);
  expect(wrapText('one\ntwo', 50, 2, 4)).toBe('  one\n    two');
});
