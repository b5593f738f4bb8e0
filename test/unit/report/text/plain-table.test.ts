import { expect, test } from 'vitest';
import { renderPlainTable } from '../../../../src/report/text/plain-table.ts';

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
