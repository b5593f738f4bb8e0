import { distance } from 'fastest-levenshtein';
import { escapeName } from './display-name.ts';

/** Longer text is no mistyped name, and comparing it takes time. */
const MOST_TYPED = 100;

/**
 * Returns the known name nearest to what was typed, when it is near enough; case and blanks do not count, and two
 * swapped letters are one slip.
 */
export function findNearest(typed: string, names: readonly string[]): string | undefined {
  if (typed.length > MOST_TYPED) return undefined;
  const folded = typed
    .toLowerCase()
    .trim()
    .replace(/[\s-]+/g, '_');
  const [best] = names
    .map((name) => ({ name, edits: countEdits(folded, name.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1));
  if (best === undefined) return undefined;
  const most = best.name.length <= 4 ? 1 : Math.max(2, Math.floor(best.name.length / 3));
  return best.edits <= most ? best.name : undefined;
}

/** Returns ` (did you mean "…"?)` with the known name nearest to what was typed; empty where none is near enough. */
export function formatSuggestion(typed: string, names: readonly string[]): string {
  const best = findNearest(typed, names);
  return best === undefined ? '' : ` (did you mean "${escapeName(best)}"?)`;
}

function countEdits(typed: string, name: string): number {
  const at = Array.from(typed).findIndex((letter, index) => letter !== name[index]);
  const swapped = `${typed.slice(0, at)}${typed[at + 1] ?? ''}${typed[at] ?? ''}${typed.slice(at + 2)}`;
  return at >= 0 && swapped === name ? 1 : distance(typed, name);
}
