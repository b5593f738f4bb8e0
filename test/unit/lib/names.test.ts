import { expect, test } from 'vitest';
import { findNearest } from '../../../src/lib/names.ts';

test.each([
  ['pfd', ['pdf', 'csv'], 'pdf'],
  ['jsno', ['json', 'junit'], 'json'],
  ['Front Bumper', ['front_bumper', 'rear_bumper'], 'front_bumper'],
  ['A-B-1.JPG', ['a-b-1.jpg', 'a_b_2.jpg'], 'a-b-1.jpg'],
  ['docx', ['pdf', 'csv', 'html'], undefined],
  ['', ['pdf'], undefined],
  ['pdf', [], undefined],
])('the name nearest to %s', (typed, names, meant) => {
  expect(findNearest(typed, names)).toBe(meant);
});
