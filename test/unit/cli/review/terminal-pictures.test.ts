import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectPictureProtocol, inlinePicture } from '../../../../src/cli/review/terminal-pictures.ts';

const ESC = '\u001b';

describe('which terminals show pictures', () => {
  test.each<[string, Record<string, string>, boolean, string | null]>([
    ['kitty', { TERM: 'xterm-kitty', KITTY_WINDOW_ID: '1' }, true, 'kitty'],
    ['kitty that says another TERM', { TERM: 'xterm-256color', KITTY_WINDOW_ID: '1' }, true, 'kitty'],
    ['Ghostty', { TERM: 'xterm-ghostty', TERM_PROGRAM: 'ghostty' }, true, 'kitty'],
    ['iTerm2', { TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app' }, true, 'iterm2'],
    ['iTerm2 through ssh', { TERM: 'xterm-256color', LC_TERMINAL: 'iTerm2' }, true, 'iterm2'],
    ['WezTerm', { TERM: 'xterm-256color', TERM_PROGRAM: 'WezTerm' }, true, 'iterm2'],
    ['Konsole of today', { TERM: 'xterm-256color', KONSOLE_VERSION: '230802' }, true, 'iterm2'],
    ['Konsole before it could', { TERM: 'xterm-256color', KONSOLE_VERSION: '211200' }, true, null],
    ['any other', { TERM: 'xterm-256color' }, true, null],
    ['kitty in tmux', { TERM: 'screen-256color', KITTY_WINDOW_ID: '1', TMUX: '/tmp/x,1,0' }, true, null],
    ['iTerm2 in screen', { TERM: 'screen', LC_TERMINAL: 'iTerm2', STY: '1.x' }, true, null],
    ['dumb', { TERM: 'dumb', TERM_PROGRAM: 'WezTerm' }, true, null],
    ['no terminal', { TERM: 'xterm-kitty', KITTY_WINDOW_ID: '1' }, false, null],
  ])('%s', (_, env, isTTY, protocol) => {
    expect(detectPictureProtocol(env, { isTTY })).toBe(protocol);
  });
});

test('kitty: pieces of at most 4096 characters that are the picture again; only the last says so', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 20_000 }), (picture) => {
      const text = inlinePicture('kitty', picture, 40);
      const pieces = [...text.matchAll(new RegExp(`${ESC}_G([^;]*);([^${ESC}]*)${ESC}\\\\`, 'g'))];
      expect(pieces.map(([whole]) => whole).join('')).toBe(text);
      expect(pieces.every(([, , data]) => (data ?? '').length <= 4096)).toBe(true);
      expect(pieces[0]?.[1]).toMatch(/^a=T,f=100,q=2,c=40,m=[01]$/);
      expect(pieces.map(([, facts]) => facts?.slice(-1)).join('')).toMatch(/^1*0$/);
      const data = pieces.map(([, , piece]) => piece).join('');
      expect(new Uint8Array(Buffer.from(data, 'base64'))).toEqual(picture);
    }),
    { numRuns: 30 },
  );
});

test('iTerm2: one sequence with the size and the picture', () => {
  const picture = Uint8Array.from([0xff, 0xd8, 1, 2, 3]);
  expect(inlinePicture('iterm2', picture, 48)).toBe(
    '\u001b]1337;File=inline=1;size=5;width=48;preserveAspectRatio=1:/9gBAgM=\u0007',
  );
});
