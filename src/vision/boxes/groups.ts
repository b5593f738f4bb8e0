/**
 * Groups of touching cells (corners count) of a grid of the given width: those where `inside` is not 0. Each group is
 * the list of its cells' indices.
 */
export function findGroups(inside: Uint8Array, width: number): number[][] {
  const open = Uint8Array.from(inside);
  const groups: number[][] = [];
  for (let start = 0; start < open.length; start++) {
    if (open[start] === 0) continue;
    open[start] = 0;
    const group = [start];
    for (let at = 0; at < group.length; at++) {
      const cell = group[at] as number;
      const x = cell % width;
      for (let row = -width; row <= width; row += width) {
        for (let column = x > 0 ? -1 : 0; column <= (x < width - 1 ? 1 : 0); column++) {
          const next = cell + row + column;
          if ((open[next] ?? 0) === 0) continue;
          open[next] = 0;
          group.push(next);
        }
      }
    }
    groups.push(group);
  }
  return groups;
}
