import { distance } from 'fastest-levenshtein';
import { escapeName } from './display-name.ts';

/** Maximum length of a mistyped name; longer text is costly to compare. */
const MAX_TYPED = 100;

/**
 * Returns the closest known name if it is close enough; ignores case and blanks, and counts a transposition as one
 * edit.
 */
export function findNearest(typed: string, names: readonly string[]): string | undefined {
  if (typed.length > MAX_TYPED) return undefined;
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

/** Returns ` (did you mean "…"?)` with the closest known name; empty if none is close enough. */
export function formatSuggestion(typed: string, names: readonly string[]): string {
  const best = findNearest(typed, names);
  return best === undefined ? '' : ` (did you mean "${escapeName(best)}"?)`;
}

function countEdits(typed: string, name: string): number {
  const at = Array.from(typed).findIndex((letter, index) => letter !== name[index]);
  const swapped = `${typed.slice(0, at)}${typed[at + 1] ?? ''}${typed[at] ?? ''}${typed.slice(at + 2)}`;
  return at >= 0 && swapped === name ? 1 : distance(typed, name);
}
