import { distance } from 'fastest-levenshtein';
import { escapeName } from './escape-name.ts';

/** Maximum length of a mistyped name; longer text is costly to compare. */
const MAX_INPUT_LENGTH = 100;

/**
 * Returns the closest known name if it is close enough; ignores case and blanks, and counts a transposition as one
 * edit.
 */
export function findNearest(input: string, names: readonly string[]): string | undefined {
  if (input.length > MAX_INPUT_LENGTH) return undefined;
  const normalized = input
    .toLowerCase()
    .trim()
    .replace(/[\s-]+/g, '_');
  const [best] = names
    .map((name) => ({ name, edits: countEdits(normalized, name.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1));
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
