const SIDES = ['left', 'right', 'fl', 'fr', 'rl', 'rr'] as const;

/** Returns true if the name in a table row matches this part: the part itself, or either side of it. */
export function matchesPart(named: string, part: string): boolean {
  return named === part || SIDES.some((side) => `${named}_${side}` === part);
}
