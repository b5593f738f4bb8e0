import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { makeParagraph } from '../../../../src/report/content/blocks.ts';
import { renderPlainTable } from '../../../../src/report/text/plain-table.ts';
import { renderTerminal } from '../../../../src/report/text/terminal.ts';
import { wrapText } from '../../../../src/report/text/terminal-lines.ts';

test.each([[[]], [['No.']]])('a note stands below its row, with %s aligned right', (right) => {
  const rows = [
    ['1', 'Hood'],
    ['2', 'Roof'],
  ];
  const look = { color: 0 as const, right, notes: ['Removed; it was $305.', undefined] };
  const lines = renderPlainTable(['No.', 'Part'], rows, look).split('\n');
  expect(lines.map((line) => line.trim())).toEqual([
    expect.stringMatching(/^No\. +Part$/),
    expect.stringMatching(/^1 +Hood$/),
    'Removed; it was $305.',
    expect.stringMatching(/^2 +Roof$/),
  ]);
});

test('a table with wide characters is no wider than the terminal, no name cut', () => {
  const rows = [['车辆照片左前.jpg', '损坏 '.repeat(9).trim()]];
  const look = { color: 0 as const, columns: 40, wrap: ['Note'] };
  expect(renderPlainTable(['Photo', 'Note'], rows, look)).toBe(
    [
      'Photo             Note',
      '车辆照片左前.jpg  损坏 损坏 损坏 损坏',
      '                  损坏 损坏 损坏 损坏',
      '                  损坏',
    ].join('\n'),
  );
});

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

test.each([
  ['x'.repeat(60), 40],
  ['漢'.repeat(30), 39],
])('a word longer than the line keeps as much as the line holds: %s', (word, width) => {
  const blocks = [makeParagraph(word)];
  const text = renderTerminal([{ id: '', title: '', blocks }], { color: 0, columns: 40 });
  expect(stringWidth(text.trimEnd())).toBe(width);
});
