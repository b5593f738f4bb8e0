import { distance } from 'fastest-levenshtein';

// Control characters, the C1 range and bidirectional formatting characters, all of which may occur in file names.
// Zero-width joiners after a letter are legitimate in the spelling of many languages.
const UNPRINTABLE = /(?!(?<=[\p{L}\p{M}])[\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes a file name for one line of a terminal: control and formatting characters become \u{…}. */
export function escapeName(name: string): string {
  return name.replace(UNPRINTABLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Removes what may be a credential from a URL: user, query and fragment. A file's name may hold `?` and `#`. */
export const stripUrl = (url: string): string =>
  /^https?:/i.test(url) ? url.replace(/[?#].*/s, '').replace(/^(https?:[\\/]*)[^\\/]*@/i, '$1') : url;

/** Returns the last segments of a path, or of a URL without credentials. */
export const readLastSegments = (url: string, count: number): string =>
  stripUrl(url).split(/[\\/]/).filter(Boolean).slice(-count).join('/');

/** Returns the file name of a path or URL, escaped for one line of a terminal. */
export const escapeFileName = (url: string): string => escapeName(readLastSegments(url, 1));

/** Compares texts by their code units, as `sort` does by itself: the same order on all systems. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const COLLATOR = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Compares paths in natural order: folder by folder, `IMG_9` before `IMG_10`, ignoring case. */
export function comparePaths(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = COLLATOR.compare(left[i] ?? '', right[i] ?? '');
    if (order !== 0) return order;
  }
  // Names that the collator takes for equal, such as `A` and `a`.
  return left.length - right.length || compareTexts(a, b);
}

/** Maximum length of a mistyped name; longer text is costly to compare. */
const MAX_INPUT_LENGTH = 100;

/**
 * Returns the closest known name if it is close enough. Case does not count, blanks and hyphens count as underscores, and a
 * transposition is one edit.
 */
export function findNearest(input: string, names: readonly string[]): string | undefined {
  if (input.length > MAX_INPUT_LENGTH) return undefined;
  const normalize = (text: string) => text.toLowerCase().replaceAll(/[\s-]+/g, '_');
  const [best] = names
    .map((name) => ({ name, edits: countEdits(normalize(input.trim()), normalize(name)) }))
    .sort((a, b) => a.edits - b.edits || compareTexts(a.name, b.name));
  if (best === undefined) return undefined;
  const maxEdits = best.name.length <= 4 ? 1 : Math.max(2, Math.floor(best.name.length / 3));
  return best.edits <= maxEdits ? best.name : undefined;
}

/** Returns ` (did you mean "…"?)` with the closest known name; empty if none is close enough. */
export function formatSuggestion(input: string, names: readonly string[]): string {
  const best = findNearest(input, names);
  return best === undefined ? '' : ` (did you mean "${escapeName(best)}"?)`;
}

function countEdits(input: string, name: string): number {
  const i = Array.from(input).findIndex((letter, index) => letter !== name[index]);
  const transposed = `${input.slice(0, i)}${input[i + 1] ?? ''}${input[i] ?? ''}${input.slice(i + 2)}`;
  return i >= 0 && transposed === name ? 1 : distance(input, name);
}
