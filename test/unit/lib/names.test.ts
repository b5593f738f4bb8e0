import { expect, test } from 'vitest';
import { escapeFileName, findNearest } from '../../../src/lib/names.ts';

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

test.each([
  ['photos/front.jpg', 'front.jpg'],
  ['photos/hash#frag?query.jpg', 'hash#frag?query.jpg'],
  ['C:\\photos\\front\n.jpg', 'front\\u{a}.jpg'],
  ['https://photos.test/a/front.jpg?path=/token/1#x', 'front.jpg'],
  ['https://ada:secret@photos.test/?token=1', 'photos.test'],
])('the file name of %s', (url, name) => {
  expect(escapeFileName(url)).toBe(name);
});
