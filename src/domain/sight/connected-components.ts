import type { Box, Size } from '../geometry.ts';

/** Returns the bounding box of a group of grid cells, in the unit of `cell`. */
export function computeBoundingBox(component: readonly number[], columns: number, cell: Size): Box {
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];
  for (const index of component) {
    const [x, y] = [index % columns, Math.floor(index / columns)];
    left = Math.min(left, x);
    right = Math.max(right, x + 1);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y + 1);
  }
  return {
    x: left * cell.width,
    y: top * cell.height,
    width: (right - left) * cell.width,
    height: (bottom - top) * cell.height,
  };
}

/**
 * Returns the 8-connected components of non-zero cells of `inside`, a grid of the given width, each as a list of cell
 * indices.
 */
export function findConnectedComponents(inside: Uint8Array, width: number): number[][] {
  const open = Uint8Array.from(inside);
  const components: number[][] = [];
  for (let start = 0; start < open.length; start++) {
    if (open[start] === 0) continue;
    open[start] = 0;
    const component = [start];
    for (let at = 0; at < component.length; at++) {
      const cell = component[at] as number;
      const x = cell % width;
      for (let row = -width; row <= width; row += width) {
        for (let column = x > 0 ? -1 : 0; column <= (x < width - 1 ? 1 : 0); column++) {
          const next = cell + row + column;
          if ((open[next] ?? 0) === 0) continue;
          open[next] = 0;
          component.push(next);
        }
      }
    }
    components.push(component);
  }
  return components;
}
