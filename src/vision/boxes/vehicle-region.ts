import { type Box, type Size, union } from '../../domain/geometry.ts';
import { computeBoxAround, findGroups } from '../../domain/sight/cell-groups.ts';
import type { PartMap } from '../../domain/sight/detection.ts';

/** Cells whose part is less certain than this (of 255) do not say where the vehicle is. */
const CERTAIN = 128;
/** Share of the largest group of cells below which a group is noise or a vehicle in the background. */
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
