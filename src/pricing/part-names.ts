const SIDES = ['left', 'right', 'fl', 'fr', 'rl', 'rr'] as const;

/** Returns true if the name in a table row matches this part: the part itself, or either side of it. */
export function matchesPart(rowPart: string, part: string): boolean {
  return rowPart === part || SIDES.some((side) => `${rowPart}_${side}` === part);
}
