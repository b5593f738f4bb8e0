import { expect, test } from 'vitest';
import { makeContentId } from '../../../src/lib/ids.ts';

test('ids come from the content alone', () => {
  expect(makeContentId('vis', ['a', 'b'])).toMatch(/^vis_[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(makeContentId('vis', ['a', 'b'])).toBe(makeContentId('vis', ['a', 'b']));
  expect(makeContentId('vis', ['a', 'b'])).not.toBe(makeContentId('vis', ['ab', '']));
});
