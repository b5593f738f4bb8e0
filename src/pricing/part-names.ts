const SIDES = ['left', 'right', 'fl', 'fr', 'rl', 'rr'] as const;

/** Returns whether a row of a table that names `named` means this part: the part itself, or either side of it. */
export function isMeant(named: string, part: string): boolean {
  return named === part || SIDES.some((side) => `${named}_${side}` === part);
}
