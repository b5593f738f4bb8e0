import { Chalk } from 'chalk';
import { expect, test } from 'vitest';
import { renderPlainTable } from '../../../../src/report/text/plain-table.ts';

test.each([[[]], [['No.']]])('a note stands below its row, with %s aligned right', (right) => {
  const rows = [
    ['1', 'Hood'],
    ['2', 'Roof'],
  ];
  const look = { chalk: new Chalk({ level: 0 }), right, notes: ['Removed; it was $305.', undefined] };
  const lines = renderPlainTable(['No.', 'Part'], rows, look).split('\n');
  expect(lines.map((line) => line.trim())).toEqual([
    expect.stringMatching(/^No\. +Part$/),
    expect.stringMatching(/^1 +Hood$/),
    'Removed; it was $305.',
    expect.stringMatching(/^2 +Roof$/),
  ]);
});
