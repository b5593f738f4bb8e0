import { describe, expect, test } from 'vitest';
import { findNearest } from '../../../src/lib/names.ts';

describe('the nearest name', () => {
  test.each([
    ['pfd', ['pdf', 'csv'], 'pdf'],
    ['jsno', ['json', 'junit'], 'json'],
    ['Front Bumper', ['front_bumper', 'rear_bumper'], 'front_bumper'],
    ['markdwon', ['markdown', 'table'], 'markdown'],
    ['docx', ['pdf', 'csv', 'html'], undefined],
    ['', ['pdf'], undefined],
    ['pdf', [], undefined],
  ])('%s', (typed, names, meant) => {
    expect(findNearest(typed, names)).toBe(meant);
  });
});
