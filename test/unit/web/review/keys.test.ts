import { describe, expect, test } from 'vitest';
import { findCommand, type KeyPress, readDigit, SHORTCUTS } from '../../../../src/web/review/keys.ts';

const pressed = (key: string, code: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});

test('no key stands for two commands', () => {
  const all = SHORTCUTS.flatMap(({ keys }) => keys);
  expect(new Set(all).size).toBe(all.length);
});

const CODE: Readonly<Record<string, string>> = { '-': 'Minus', '+': 'Equal', '=': 'Equal', '?': 'Slash' };
/** The letters that stand at the places of the Latin ones. */
const RUSSIAN: Readonly<Record<string, string>> = {
  A: 'ф',
  B: 'и',
  C: 'с',
  D: 'в',
  E: 'у',
  G: 'п',
  J: 'о',
  K: 'л',
  L: 'д',
  M: 'ь',
  N: 'т',
  P: 'з',
  R: 'к',
  T: 'е',
  U: 'г',
  X: 'ч',
  Y: 'н',
  Z: 'я',
};

describe.each([
  ['US', (name: string) => name.toLowerCase(), (name: string) => name],
  ['Russian', (name: string) => RUSSIAN[name] ?? name, (name: string) => name],
  // A French digit row types symbols, and A and Q have changed places.
  [
    'French',
    (name: string) => name.toLowerCase(),
    (name: string) => ({ '0': 'à', '1': '&', '2': 'é', '3': '"', '4': "'" })[name] ?? name,
  ],
])('the %s layout reaches every command', (layout, letter, digit) => {
  test.each(SHORTCUTS.flatMap(({ command, keys }) => keys.map((chord) => [chord, command] as const)))(
    '%s: %s',
    (chord, command) => {
      const parts = chord === '+' ? ['+'] : chord.split('+');
      const name = parts.at(-1) ?? '';
      const isLetter = /^[A-Z]$/.test(name);
      const place =
        layout === 'French' && name === 'A'
          ? 'KeyQ'
          : isLetter
            ? `Key${name}`
            : /^\d$/.test(name)
              ? `Digit${name}`
              : (CODE[name] ?? name);
      const typed = isLetter ? letter(name) : /^\d$/.test(name) ? digit(name) : name;
      const more = { shiftKey: parts.includes('Shift'), ctrlKey: parts.includes('Ctrl') };
      const key = more.shiftKey && isLetter ? typed.toUpperCase() : typed;
      expect(findCommand(pressed(key, place, more), true)).toBe(command);
    },
  );
});

test('with single letters off none is active; arrows, Enter, Delete and those with Ctrl are', () => {
  const active = SHORTCUTS.filter(({ keys }) => keys.some((name) => /^(Shift\+)?.$/.test(name)));
  for (const { keys } of active)
    for (const name of keys.filter((one) => /^(Shift\+)?.$/.test(one))) {
      const key = name.replace('Shift+', '');
      const code = /[A-Z]/.test(key) ? `Key${key}` : /\d/.test(key) ? `Digit${key}` : (CODE[key] ?? key);
      const shiftKey = name.startsWith('Shift+');
      expect(findCommand(pressed(shiftKey ? key : key.toLowerCase(), code, { shiftKey }), false)).toBeNull();
    }
  expect(findCommand(pressed('ArrowDown', 'ArrowDown'), false)).toBe('nextFinding');
  expect(findCommand(pressed('Enter', 'Enter', { ctrlKey: true }), false)).toBe('finish');
});

test('an input method that composes, dead keys and Alt are left alone', () => {
  expect(findCommand(pressed('a', 'KeyA', { isComposing: true }), true)).toBeNull();
  expect(findCommand(pressed('Dead', 'KeyA'), true)).toBeNull();
  expect(findCommand(pressed('a', 'KeyA', { altKey: true }), true)).toBeNull();
});

test.each([
  ['-', 'Digit6', 6],
  ['à', 'Digit0', null],
  ['a', 'KeyQ', null],
])('%s typed at %s of a French keyboard chooses %s', (key, code, digit) => {
  expect(readDigit(pressed(key, code))).toBe(digit);
});
