import { area, type Box, clampToPixels, type Size } from '../../domain/geometry.ts';

/** Closer passes after the one over the whole photo. */
export interface SecondPass {
  /** Adds the crop of the vehicle, with a margin. */
  readonly vehicle: boolean;
  /** Maximum number of overlapping tiles per side of the vehicle; 0 for none. */
  readonly maxTilesPerSide: number;
  /** Limits the second pass to photos of the whole vehicle. */
  readonly onlyWholeVehicles: boolean;
}

/** Margin around the vehicle, as a fraction of its sides, to include damage on its outline. */
const VEHICLE_MARGIN = 0.06;
/** Overlap of adjacent tiles, as a fraction of a tile. */
const TILE_OVERLAP = 0.25;
/** Tolerance for touching an edge, as a fraction of the side; a vehicle touching three edges is a close-up. */
const EDGE_TOLERANCE = 0.02;
/** Minimum magnification that justifies another run. */
const MIN_ZOOM = 1.3;

/**
 * Lists the regions of the second pass in whole pixels of the raster. `vehicle` is its bounding box; undefined means
 * the whole photo. A region is only included if it magnifies the previous pass at least 1.3 times.
 */
export function listSecondPassRegions(
  raster: Size,
  vehicle: Box | undefined,
  input: Size,
  plan: SecondPass,
): Box[] {
  if (plan.onlyWholeVehicles && (vehicle === undefined || isCloseUp(vehicle, raster))) return [];
  const photo: Box = { x: 0, y: 0, width: raster.width, height: raster.height };
  const frame = clampToPixels(vehicle === undefined ? photo : grow(vehicle, VEHICLE_MARGIN), raster);
  const regions: Box[] = [];
  if (plan.vehicle && area(photo) >= MIN_ZOOM ** 2 * area(frame)) regions.push(frame);
  if (plan.maxTilesPerSide > 1)
    regions.push(...layTiles(frame, input, plan.maxTilesPerSide).map((tile) => clampToPixels(tile, raster)));
  return regions;
}

function isCloseUp({ x, y, width, height }: Box, raster: Size): boolean {
  const [nearX, nearY] = [raster.width * EDGE_TOLERANCE, raster.height * EDGE_TOLERANCE];
  const edgesTouched = [
    x < nearX,
    y < nearY,
    x + width > raster.width - nearX,
    y + height > raster.height - nearY,
  ];
  return edgesTouched.filter(Boolean).length >= 3;
}

/** Covers `frame` with nearly square tiles, no more than its pixels justify at the model's input size. */
function layTiles(frame: Box, input: Size, maxPerSide: number): Box[] {
  const columns = countTiles(frame.width, input.width, maxPerSide);
  const rows = countTiles(frame.height, input.height, maxPerSide);
  if (columns * rows === 1) return [];
  const across = spreadEvenly(frame.x, frame.width, columns);
  const down = spreadEvenly(frame.y, frame.height, rows);
  return down.flatMap(({ start: y, length: height }) =>
    across.map(({ start: x, length: width }) => ({ x, y, width, height })),
  );
}

function countTiles(pixels: number, inputPixels: number, limit: number): number {
  const justified = Math.floor(pixels / inputPixels / MIN_ZOOM) + 1;
  return Math.min(limit, Math.max(1, justified));
}

function spreadEvenly(start: number, length: number, count: number): { start: number; length: number }[] {
  const each = length / (count - (count - 1) * TILE_OVERLAP);
  return Array.from({ length: count }, (_, i) => ({
    start: start + i * each * (1 - TILE_OVERLAP),
    length: each,
  }));
}

function grow({ x, y, width, height }: Box, share: number): Box {
  return {
    x: x - width * share,
    y: y - height * share,
    width: width * (1 + 2 * share),
    height: height * (1 + 2 * share),
  };
}
