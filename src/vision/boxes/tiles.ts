import { area, type Box, clampToPixels, type Size } from '../../domain/geometry.ts';

/** What is looked at again, closer, after the whole photo. */
export interface SecondPass {
  /** The vehicle, cut out with a margin. */
  readonly vehicle: boolean;
  /** Maximum number of overlapping tiles of the vehicle, across and down each; 0 for none. */
  readonly mostTilesPerSide: number;
  /** Only photos that show the vehicle as a whole, not close-ups. */
  readonly onlyWholeVehicles: boolean;
}

/** Share of its sides by which the vehicle's box grows, so that damage on its outline is not cut. */
const MARGIN = 0.06;
/** Share of a tile that it has in common with the next one. */
const OVERLAP = 0.25;
/** Share of a side within which a vehicle reaches it; one that reaches three sides of the photo is seen close up. */
const NEAR_EDGE = 0.02;
/** A region that enlarges what it shows by less than this is not worth a run. */
const LEAST_ZOOM = 1.3;

/**
 * Returns the regions of the second pass in whole pixels of the raster. `vehicle`: where it was seen; undefined means
 * the whole photo. A region is only looked at where that shows at least 1.3 times more than the pass before did.
 */
export function listSecondPassRegions(
  raster: Size,
  vehicle: Box | undefined,
  input: Size,
  plan: SecondPass,
): Box[] {
  if (plan.onlyWholeVehicles && (vehicle === undefined || isCloseUp(vehicle, raster))) return [];
  const photo: Box = { x: 0, y: 0, width: raster.width, height: raster.height };
  const frame = clampToPixels(vehicle === undefined ? photo : grow(vehicle, MARGIN), raster);
  const regions: Box[] = [];
  if (plan.vehicle && area(photo) >= LEAST_ZOOM ** 2 * area(frame)) regions.push(frame);
  if (plan.mostTilesPerSide > 1)
    regions.push(...layTiles(frame, input, plan.mostTilesPerSide).map((tile) => clampToPixels(tile, raster)));
  return regions;
}

function isCloseUp({ x, y, width, height }: Box, raster: Size): boolean {
  const [nearX, nearY] = [raster.width * NEAR_EDGE, raster.height * NEAR_EDGE];
  const reached = [
    x < nearX,
    y < nearY,
    x + width > raster.width - nearX,
    y + height > raster.height - nearY,
  ];
  return reached.filter(Boolean).length >= 3;
}

/** Tiles that cover `frame`, as square as they go, no more of them than its pixels are worth at the input's size. */
function layTiles(frame: Box, input: Size, mostPerSide: number): Box[] {
  const columns = countAlong(frame.width, input.width, mostPerSide);
  const rows = countAlong(frame.height, input.height, mostPerSide);
  if (columns * rows === 1) return [];
  const across = spread(frame.x, frame.width, columns);
  const down = spread(frame.y, frame.height, rows);
  return down.flatMap(({ start: y, length: height }) =>
    across.map(({ start: x, length: width }) => ({ x, y, width, height })),
  );
}

function countAlong(pixels: number, inputPixels: number, most: number): number {
  const worth = Math.floor(pixels / inputPixels / LEAST_ZOOM) + 1;
  return Math.min(most, Math.max(1, worth));
}

function spread(start: number, length: number, count: number): { start: number; length: number }[] {
  const each = length / (count - (count - 1) * OVERLAP);
  return Array.from({ length: count }, (_, i) => ({ start: start + i * each * (1 - OVERLAP), length: each }));
}

function grow({ x, y, width, height }: Box, share: number): Box {
  return {
    x: x - width * share,
    y: y - height * share,
    width: width * (1 + 2 * share),
    height: height * (1 + 2 * share),
  };
}
