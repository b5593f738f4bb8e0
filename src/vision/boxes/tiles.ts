import { type Box, clampToPixels, frameOf, growBox, type Size } from '../../domain/geometry.ts';

/** Maximum number of tiles per side of the vehicle (models/training/README.md, "How the second pass was chosen"). */
const MAX_PER_SIDE = 2;
/** Margin around the vehicle, as a fraction of its sides, to include damage on its outline. */
const VEHICLE_MARGIN = 0.06;
/** Overlap of adjacent tiles, as a fraction of a tile. */
const TILE_OVERLAP = 0.25;
/** Minimum magnification that justifies another run. */
const MIN_ZOOM = 1.3;

/**
 * Lists the tiles that the detector examines after the whole photo, in whole pixels of the raster. They overlap, cover
 * `vehicle` (its bounding box; undefined means the whole photo), and are no more than its pixels justify at the model's
 * input size.
 */
export function listTiles(raster: Size, vehicle: Box | undefined, input: Size): Box[] {
  const box = vehicle ?? frameOf(raster);
  const margin = { x: box.width * VEHICLE_MARGIN, y: box.height * VEHICLE_MARGIN };
  const frame = clampToPixels(growBox(box, margin.x, margin.y), raster);
  const columns = countTiles(frame.width, input.width);
  const rows = countTiles(frame.height, input.height);
  if (columns * rows === 1) return [];
  const across = spreadEvenly(frame.x, frame.width, columns);
  const down = spreadEvenly(frame.y, frame.height, rows);
  return down.flatMap(({ start: y, length: height }) =>
    across.map(({ start: x, length: width }) => clampToPixels({ x, y, width, height }, raster)),
  );
}

function countTiles(pixels: number, inputPixels: number): number {
  return Math.min(MAX_PER_SIDE, Math.floor(pixels / inputPixels / MIN_ZOOM) + 1);
}

function spreadEvenly(start: number, length: number, count: number): { start: number; length: number }[] {
  const each = length / (count - (count - 1) * TILE_OVERLAP);
  return Array.from({ length: count }, (_, i) => ({
    start: start + i * each * (1 - TILE_OVERLAP),
    length: each,
  }));
}
