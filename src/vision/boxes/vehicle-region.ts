import { type Box, type Size, union } from '../../domain/geometry.ts';
import { computeBoundingBox, findConnectedComponents } from '../../domain/sight/connected-components.ts';
import type { PartMap } from '../../domain/sight/detection.ts';

/** Minimum certainty (of 255) for a cell to locate the vehicle. */
const MIN_CERTAINTY = 128;
/** Groups smaller than this fraction of the largest are noise or a background vehicle. */
const MIN_SHARE = 0.1;

/**
 * Removes cell groups that are separate from the vehicle and far smaller. On 178 labeled photos, five such groups cover
 * at least 0.15 % of the picture: four are a mirror, wheel, bumper or lamp of another vehicle, one is a false part in a
 * photo whose whole map is wrong. None exceeds 1.4 % of the vehicle's cells.
 */
export function keepMainVehicle(parts: PartMap): PartMap {
  const background = parts.labels.indexOf('background');
  const vehicleGroups = findVehicleGroups(
    parts.bestLabels.map((label) => (label === background ? 0 : 1)),
    parts.width,
  );
  const best = new Uint8Array(parts.bestLabels.length).fill(background);
  for (const cell of vehicleGroups.flat()) best[cell] = parts.bestLabels[cell] as number;
  return { ...parts, bestLabels: best };
}

/**
 * Locates the vehicle as the box around the largest connected groups of part cells, in pixels of a raster that covers
 * the same area as the map; undefined if no part is visible.
 */
export function findVehicleRegion(parts: PartMap, raster: Size): Box | undefined {
  const background = parts.labels.indexOf('background');
  const certain = parts.bestLabels.map((label, cell) =>
    label !== background && (parts.certainty[cell] ?? 0) >= MIN_CERTAINTY ? 1 : 0,
  );
  const cell = { width: raster.width / parts.width, height: raster.height / parts.height };
  return findVehicleGroups(certain, parts.width)
    .map((group) => computeBoundingBox(group, parts.width, cell))
    .reduce<Box | undefined>((all, box) => (all === undefined ? box : union(all, box)), undefined);
}

/** Returns the connected groups of a grid that are not far smaller than the largest one. */
function findVehicleGroups(inside: Uint8Array, width: number): number[][] {
  const groups = findConnectedComponents(inside, width);
  const largest = Math.max(0, ...groups.map(({ length }) => length));
  return groups.filter(({ length }) => length >= MIN_SHARE * largest);
}
