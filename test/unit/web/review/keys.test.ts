import { describe, expect, test } from 'vitest';
import {
  COMMAND_NAMES,
  findCommand,
  type KeyPress,
  readDigit,
  SHORTCUTS,
} from '../../../../src/web/review/keys.ts';

/** What a keyboard types at the place of a letter or digit of a US keyboard. */
type Layout = (name: string) => string;
const LATIN = [...'ABCDEGJKLMNPRTUXYZ'];
/** The letters that stand at the places of the Latin ones. */
const CYRILLIC = [...'фисвуполдьтзкегчня'];

const CODES: Readonly<Record<string, string>> = { '-': 'Minus', '+': 'Equal', '=': 'Equal', '?': 'Slash' };

function pressed(key: string, code: string, more: Partial<KeyPress> = {}): KeyPress {
  return { key, code, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more };
}

/** Presses a key of the table on a keyboard; in French, A and Q have changed places. */
function press(chord: string, type: Layout, isFrench = false): KeyPress {
  const name = chord === '+' ? chord : (chord.split('+').at(-1) ?? '');
  const [shiftKey, ctrlKey] = [chord.includes('Shift+'), chord.includes('Ctrl+')];
  if (!/^[A-Z\d]$/.test(name)) return pressed(name, CODES[name] ?? name, { shiftKey, ctrlKey });
  const place = isFrench && name === 'A' ? 'Q' : name;
  const typed = type(name);
  const code = `${/\d/.test(name) ? 'Digit' : 'Key'}${place}`;
  return pressed(shiftKey ? typed.toUpperCase() : typed, code, { shiftKey, ctrlKey });
}

const CHORDS = COMMAND_NAMES.flatMap((name) => SHORTCUTS[name].keys.map((chord) => [chord, name] as const));

test('no key stands for two commands', () => {
  expect(new Set(CHORDS.map(([chord]) => chord)).size).toBe(CHORDS.length);
});

const US: Layout = (name) => name.toLowerCase();
const RUSSIAN: Layout = (name) => CYRILLIC[LATIN.indexOf(name)] ?? name;
/** A French digit row types symbols. */
const FRENCH: Layout = (name) => [...'à&é"\''][Number(name)] ?? name.toLowerCase();

describe.each([
  ['US', US],
  ['Russian', RUSSIAN],
  ['French', FRENCH],
] as const)('the %s layout reaches every command', (_, layout) => {
  test.each(CHORDS)('%s: %s', (chord, command) => {
    expect(findCommand(press(chord, layout, layout === FRENCH), true)).toBe(command);
  });
});

test('the number pad types digits, and arrows without Num Lock', () => {
  const keys = [pressed('2', 'Numpad2'), pressed('ArrowDown', 'Numpad2')];
  expect(keys.map((key) => [findCommand(key, true), readDigit(key)])).toEqual([
    ['moderate', 2],
    ['nextFinding', null],
  ]);
});

test('with single letters off none is active; arrows, Enter, Delete and those with Ctrl are', () => {
  for (const [chord, command] of CHORDS) {
    const isSingle = /^(Shift\+)?.$/.test(chord);
    expect([chord, findCommand(press(chord, US), false)]).toEqual([chord, isSingle ? null : command]);
  }
});

test.each([
  ['an input method that composes', pressed('a', 'KeyA', { isComposing: true })],
  ['a dead key', pressed('Dead', 'KeyA')],
  ['a key with Alt', pressed('a', 'KeyA', { altKey: true })],
])('%s is left alone', (_, press) => {
  expect(findCommand(press, true)).toBeNull();
});

test.each([
  ['-', 'Digit6', 6],
  ['à', 'Digit0', null],
  ['a', 'KeyQ', null],
])('%s typed at %s of a French keyboard chooses %s', (key, code, digit) => {
  expect(readDigit(pressed(key, code))).toBe(digit);
});
