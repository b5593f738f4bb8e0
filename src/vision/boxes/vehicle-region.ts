import { type Box, type Size, union } from '../../domain/geometry.ts';
import type { PartMap } from '../../domain/sight/detection.ts';

/** Cells whose part is less certain than this (of 255) do not say where the vehicle is. */
const CERTAIN = 128;
/** A group of cells smaller than this share of the largest one is noise or a vehicle in the background. */
const LEAST_SHARE = 0.1;

/**
 * Returns a map without what lies apart from the vehicle and is far smaller. Of five such groups that take 0.15 % or
 * more of the picture on 178 labelled photos four are another vehicle's mirror, wheel, bumper or lamp; one is a guess,
 * as is the whole map of that photo. None has more than 1.4 % of the vehicle's cells.
 */
export function keepMainVehicle(parts: PartMap): PartMap {
  const background = parts.labels.indexOf('background');
  const ofVehicle = findVehicleGroups(
    parts.best.map((label) => (label === background ? 0 : 1)),
    parts.width,
  );
  const best = new Uint8Array(parts.best.length).fill(background);
  for (const cell of ofVehicle.flat()) best[cell] = parts.best[cell] as number;
  return { ...parts, best };
}

/**
 * Returns where the vehicle is: the box around the largest connected groups of part cells, in pixels of a raster of the
 * given size that shows what the map covers; undefined where none is seen.
 */
export function findVehicleRegion(parts: PartMap, raster: Size): Box | undefined {
  const background = parts.labels.indexOf('background');
  const certain = parts.best.map((label, cell) =>
    label !== background && (parts.certainty[cell] ?? 0) >= CERTAIN ? 1 : 0,
  );
  const cell = { width: raster.width / parts.width, height: raster.height / parts.height };
  return findVehicleGroups(certain, parts.width)
    .map((group) => computeBoxAround(group, parts.width, cell))
    .reduce<Box | undefined>((all, box) => (all === undefined ? box : union(all, box)), undefined);
}

/** Returns the groups of touching cells of a grid that are not far smaller than the largest one. */
function findVehicleGroups(inside: Uint8Array, width: number): number[][] {
  const groups = findGroups(inside, width);
  const largest = Math.max(0, ...groups.map(({ length }) => length));
  return groups.filter(({ length }) => length >= LEAST_SHARE * largest);
}

function computeBoxAround(group: readonly number[], columns: number, cell: Size): Box {
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
