import { expect, test } from 'vitest';
import { contentId } from '../../../src/lib/ids.ts';

test('ids come from the content alone', () => {
  expect(contentId('vis', ['a', 'b'])).toMatch(/^vis_[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(contentId('vis', ['a', 'b'])).toBe(contentId('vis', ['a', 'b']));
  expect(contentId('vis', ['a', 'b'])).not.toBe(contentId('vis', ['ab', '']));
});
