import { expect, test } from 'vitest';
import { showsLinks } from '../../../../src/cli/terminal/links.ts';

test.each<[string, boolean, number, Record<string, string>, boolean]>([
  ['a terminal that is not known', true, 1, { TERM: 'xterm' }, false],
  ['kitty', true, 1, { TERM: 'xterm-kitty' }, true],
  ['Windows Terminal', true, 1, { WT_SESSION: 'a' }, true],
  ['an old VTE', true, 1, { VTE_VERSION: '4800' }, false],
  ['FORCE_HYPERLINK', true, 1, { TERM: 'xterm', FORCE_HYPERLINK: '1' }, true],
  ['FORCE_HYPERLINK=0', true, 1, { TERM: 'xterm-kitty', FORCE_HYPERLINK: '0' }, false],
  ['a file', false, 1, { TERM: 'xterm-kitty' }, false],
  ['no colour', true, 0, { TERM: 'xterm-kitty' }, false],
])('%s', (_, isTTY, level, env, shown) => {
  const context = { stdout: { isTTY }, env, colour: { stdout: level, stderr: level } };
  expect(showsLinks(context as Parameters<typeof showsLinks>[0])).toBe(shown);
});
