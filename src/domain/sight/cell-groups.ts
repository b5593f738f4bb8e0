import { area, type Box, intersection, type Size } from '../geometry.ts';
import type { PartMap } from './detection.ts';

/** Parts of which a vehicle has one size, so their size in a photo indicates distance. */
const OF_ONE_SIZE = [/^wheel$/, /^taillight_/] as const;
/** Cell count relative to the largest piece below which a wheel or tail lamp belongs to a more distant vehicle. */
const FAR_SHARE = 0.1;
/** Minimum cells of a piece; smaller ones are segmentation noise. */
const MIN_CELLS = 6;
/** Maximum ratio of a box's area to the piece's; a larger box marks something else. */
const MAX_TIMES = 40;

/** Returns the boxes, pixels of the photo, of wheels and tail lamps far smaller than the largest ones. */
export function listFarPieces({ best, labels, width, height }: PartMap, photo: Size): Box[] {
  const cell = { width: photo.width / width, height: photo.height / height };
  return OF_ONE_SIZE.flatMap((name) => {
    const groups = findGroups(
      best.map((label) => (name.test(labels[label] ?? '') ? 1 : 0)),
      width,
    );
    const most = Math.max(0, ...groups.map(({ length }) => length));
    return groups
      .filter(({ length }) => length >= MIN_CELLS && length < FAR_SHARE * most)
      .map((group) => computeBoxAround(group, width, cell));
  });
}

/**
 * Returns whether a finding lies at a wheel or tail lamp far smaller than the largest: on a vehicle behind, or at the
 * far end of this one. Nine of 178 labelled photos have such findings, 16 at any confidence, and none touches a damage;
 * at far headlights some do.
 */
export function isFarAway(box: Box, pieces: readonly Box[]): boolean {
  return pieces.some((piece) => intersection(box, piece) > 0 && area(box) < MAX_TIMES * area(piece));
}

/** Returns the bounding box of a group of grid cells, in the unit of `cell`. */
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
 * Returns the 8-connected components of non-zero cells of `inside`, a grid of the given width, each as a list of cell
 * indices.
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
