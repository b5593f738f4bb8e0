import { area, type Box, intersection, type Size } from '../geometry.ts';
import type { PartMap } from './detection.ts';

/** Parts that a vehicle has in one size, so that their size in a photo says how far away the vehicle is. */
const OF_ONE_SIZE = [/^wheel$/, /^taillight_/] as const;
/** Share of the cells of the largest below which a wheel or tail lamp is that of a vehicle farther away. */
const FAR_SHARE = 0.1;
/** Fewer cells are noise of the segmenter. */
const LEAST_CELLS = 6;
/** Maximum ratio of a box's area to that of the piece; a larger box is about something else. */
const MOST_TIMES = 40;

/** Returns the boxes, pixels of the photo, of wheels and tail lamps that are far smaller than the largest ones. */
export function listFarPieces({ best, labels, width, height }: PartMap, photo: Size): Box[] {
  const cell = { width: photo.width / width, height: photo.height / height };
  return OF_ONE_SIZE.flatMap((name) => {
    const groups = findGroups(
      best.map((label) => (name.test(labels[label] ?? '') ? 1 : 0)),
      width,
    );
    const most = Math.max(0, ...groups.map(({ length }) => length));
    return groups
      .filter(({ length }) => length >= LEAST_CELLS && length < FAR_SHARE * most)
      .map((group) => computeBoxAround(group, width, cell));
  });
}

/**
 * Returns whether a find lies at a wheel or tail lamp that is far smaller than the largest: on a vehicle behind, or at
 * the far end of this one. Of 178 labelled photos nine have such finds, 16 whatever their confidence, and none touches
 * a damage; at far headlights some do.
 */
export function isFarAway(box: Box, pieces: readonly Box[]): boolean {
  return pieces.some((piece) => intersection(box, piece) > 0 && area(box) < MOST_TIMES * area(piece));
}

/** Returns the box around a group of cells of a grid, in the unit of `cell`. */
export function computeBoxAround(group: readonly number[], columns: number, cell: Size): Box {
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];
  for (const index of group) {
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
 * Returns the groups of touching cells (corners count) of a grid of the given width: those where `inside` is not 0. Each group is
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
