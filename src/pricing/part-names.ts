const SUFFIXES = ['left', 'right', 'fl', 'fr', 'rl', 'rr'] as const;

/** Returns true if the name in a table row matches this part: its own name, or that name without the side or corner. */
export function matchesPart(rowPart: string, part: string): boolean {
  return rowPart === part || SUFFIXES.some((suffix) => `${rowPart}_${suffix}` === part);
}
