import { expect, test } from 'vitest';
import { chooseColorLevel } from '../../../../src/cli/terminal/context.ts';

const TRUE = { COLORTERM: 'truecolor' };

test.each<[string, boolean, Record<string, string>, string[], number]>([
  ['a terminal', true, { TERM: 'xterm' }, [], 1],
  ['a terminal of 256 colors', true, { TERM: 'xterm-256color' }, [], 2],
  ['a terminal of all colors', true, TRUE, [], 3],
  ['a dumb terminal', true, { TERM: 'dumb', ...TRUE }, [], 0],
  ['a file', false, TRUE, [], 0],
  ['--no-color before all else', true, { ...TRUE, FORCE_COLOR: '3' }, ['--color', '--no-color'], 0],
  ['--color, even into a file', false, { ...TRUE, NO_COLOR: '1' }, ['--color'], 3],
  ['NO_COLOR', true, { ...TRUE, NO_COLOR: '1', FORCE_COLOR: '3' }, [], 0],
  ['FORCE_COLOR, even into a file', false, { FORCE_COLOR: '2' }, [], 2],
  ['FORCE_COLOR without a level', false, { ...TRUE, FORCE_COLOR: '' }, [], 1],
  ['FORCE_COLOR=0', true, { ...TRUE, FORCE_COLOR: '0' }, [], 0],
  ['FORCE_COLOR=false', true, { ...TRUE, FORCE_COLOR: 'false' }, [], 0],
])('%s', (_, isTTY, env, flags, level) => {
  expect(chooseColorLevel({ isTTY }, env, flags)).toBe(level);
});
