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
 * Returns the connected components of non-zero cells of `mask`, a grid of the given width, each as a list of cell
 * indices.
 * @param neighbors 4 connects cells by their sides, 8 also by their corners
 */
export function findConnectedComponents(mask: Uint8Array, width: number, neighbors: 4 | 8 = 8): number[][] {
  const unvisited = Uint8Array.from(mask);
  const components: number[][] = [];
  for (let start = 0; start < unvisited.length; start++) {
    if (unvisited[start] === 0) continue;
    unvisited[start] = 0;
    const component = [start];
    for (let i = 0; i < component.length; i++) {
      const cell = component[i] as number;
      const x = cell % width;
      for (let row = -width; row <= width; row += width) {
        for (let column = x > 0 ? -1 : 0; column <= (x < width - 1 ? 1 : 0); column++) {
          const next = cell + row + column;
          const isCorner = row !== 0 && column !== 0;
          if ((unvisited[next] ?? 0) === 0 || (isCorner && neighbors === 4)) continue;
          unvisited[next] = 0;
          component.push(next);
        }
      }
    }
    components.push(component);
  }
  return components;
}
