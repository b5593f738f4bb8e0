/**
 * Shortcuts by command; the button displays the first one. A letter matches the character of the keyboard layout or, if
 * that is not a Latin letter, the physical key; a digit matches the physical key. Shift and Ctrl are prefixes.
 */
export const SHORTCUTS = {
  accept: { words: 'Accept and go on', keys: ['A', 'Enter'] },
  acceptPhoto: { words: 'Accept what is left on this photo', keys: ['Shift+A'] },
  reject: { words: 'Reject and go on', keys: ['R', 'Delete'] },
  rejectPhoto: { words: 'Reject what is left on this photo', keys: ['Shift+R'] },
  minor: { words: 'Severity minor', keys: ['1'] },
  moderate: { words: 'Severity moderate', keys: ['2'] },
  severe: { words: 'Severity severe', keys: ['3'] },
  critical: { words: 'Severity critical', keys: ['4'] },
  type: { words: 'Type, then its digit', keys: ['T'] },
  part: { words: 'Part', keys: ['L'] },
  draw: { words: 'Draw a missed damage', keys: ['D'] },
  box: { words: 'Change the box', keys: ['B'] },
  merge: { words: 'Merge: on one, then on the other', keys: ['M'] },
  nextFinding: { words: 'Next finding', keys: ['J', 'ArrowDown'] },
  previousFinding: { words: 'Previous finding', keys: ['K', 'ArrowUp'] },
  nextPhoto: { words: 'Next photo', keys: ['N', 'ArrowRight'] },
  previousPhoto: { words: 'Previous photo', keys: ['P', 'ArrowLeft'] },
  nextUndecided: { words: 'Next undecided', keys: ['U'] },
  nothingMore: { words: 'Nothing more on this photo, go on', keys: ['X'] },
  allLookedAt: { words: 'Every photo was looked through', keys: ['Shift+X'] },
  toCheck: { words: 'Show or hide places to check', keys: ['C'] },
  vehicle: { words: 'Vehicle that this photo shows', keys: ['V'] },
  oneVehicle: { words: 'All photos show one vehicle', keys: ['Shift+V'] },
  zoomIn: { words: 'Zoom in', keys: ['+', '='] },
  zoomOut: { words: 'Zoom out', keys: ['-'] },
  fit: { words: 'Whole photo', keys: ['0'] },
  zoomToFinding: { words: 'Zoom to the finding', keys: ['F'] },
  repair: { words: 'Repair: prices and operations', keys: ['O'] },
  undo: { words: 'Undo', keys: ['Z', 'Ctrl+Z'] },
  redo: { words: 'Redo', keys: ['Shift+Z', 'Ctrl+Shift+Z', 'Ctrl+Y'] },
  export: { words: 'Export', keys: ['E'] },
  finish: { words: 'Finish', keys: ['Ctrl+Enter'] },
  keys: { words: 'All keys', keys: ['?'] },
  leave: { words: 'Cancel what was started', keys: ['Escape'] },
} as const;
export type Command = keyof typeof SHORTCUTS;
export const COMMAND_NAMES = Object.keys(SHORTCUTS) as readonly Command[];

export type KeyPress = Readonly<Record<'key' | 'code', string>> &
  Readonly<Record<'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey', boolean>> & {
    readonly isComposing?: boolean;
  };

/** Converts a key press to the table's notation; null during input-method composition or with Alt. */
function describeChord(pressed: KeyPress): string | null {
  if (pressed.isComposing || pressed.altKey || pressed.key === 'Dead') return null;
  const name = nameKey(pressed);
  const isSign = name.length === 1 && !/[A-Z0-9]/.test(name);
  const shift = pressed.shiftKey && !isSign ? 'Shift+' : '';
  return `${pressed.ctrlKey || pressed.metaKey ? 'Ctrl+' : ''}${shift}${name}`;
}

/** Returns the digit of a physical key, whatever the layout; on the number pad `key` is the digit, or an arrow. */
const findDigit = (code: string) => /^Digit(\d)$/.exec(code)?.[1];

function nameKey({ key, code }: KeyPress): string {
  if (/^[a-z]$/i.test(key)) return key.toUpperCase();
  const digit = findDigit(code);
  if (digit !== undefined && !/^[-+=?]$/.test(key)) return digit;
  // Cyrillic, Greek and other letters are mapped by physical key.
  const physicalLetter = /^Key([A-Z])$/.exec(code)?.[1];
  if (physicalLetter !== undefined && /^\p{L}$/u.test(key)) return physicalLetter;
  return key;
}

const COMMAND_BY_CHORD = new Map<string, Command>(
  COMMAND_NAMES.flatMap((command) => SHORTCUTS[command].keys.map((chord) => [chord, command] as const)),
);

/**
 * Returns the command of a key press.
 * @param singleLetters false ignores letters, digits and punctuation (WCAG 2.1.4)
 */
export function findCommand(pressed: KeyPress, singleLetters: boolean): Command | null {
  const chord = describeChord(pressed);
  if (chord === null) return null;
  const isSingle = /^(?:Shift\+)?.$/u.test(chord);
  return isSingle && !singleLetters ? null : (COMMAND_BY_CHORD.get(chord) ?? null);
}

/** Returns the digit of a key press, 1 to 9, even if the layout maps the key to a command's symbol. */
export function readDigit(pressed: KeyPress): number | null {
  const chord = describeChord({ ...pressed, key: findDigit(pressed.code) ?? pressed.key });
  return chord !== null && /^[1-9]$/.test(chord) ? Number(chord) : null;
}

/** Returns the label of a letter, digit or symbol key without a command. */
export function nameUnknownKey(pressed: KeyPress): string | null {
  const chord = describeChord(pressed);
  return chord !== null && /^(?:Shift\+)?[^\s]$/u.test(chord) && !COMMAND_BY_CHORD.has(chord) ? chord : null;
}

const SYMBOLS = new Map(
  Object.entries({ ArrowDown: '↓', ArrowUp: '↑', ArrowRight: '→', ArrowLeft: '←', Escape: 'Esc' }),
);

export const describeKey = (key: string): string => SYMBOLS.get(key) ?? key;
