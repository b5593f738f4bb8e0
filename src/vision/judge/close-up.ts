import { type Box, clamp, type Size } from '../../domain/geometry.ts';

/** Side of a close-up as a multiple of the box's longer side. */
const CONTEXT = 2;
/** Minimum side of a close-up as a fraction of the raster's longer side, to give small damage enough context. */
const MIN_SIDE = 0.12;

/**
 * Returns the classifier's square close-up around `box`, in raster pixels: along each side, shifted into the raster if
 * it fits, else centered on the raster and extending beyond it. The training recipe crops by the same rule
 * (models/training/vehi_train/classifier/cuts.py).
 */
export function placeCloseUp(box: Box, raster: Size): Box {
  const longest = Math.max(raster.width, raster.height);
  const side = Math.min(longest, Math.max(CONTEXT * Math.max(box.width, box.height), MIN_SIDE * longest));
  return {
    x: centerWithin(box.x + box.width / 2, side, raster.width),
    y: centerWithin(box.y + box.height / 2, side, raster.height),
    width: side,
    height: side,
  };
}

const centerWithin = (center: number, side: number, length: number): number =>
  side > length ? (length - side) / 2 : clamp(center - side / 2, 0, length - side);

/** Converts `box` (pixels of the raster) to fractions (0 to 1) of the close-up: left, top, right, bottom. */
export function placeWithin(closeUp: Box, { x, y, width, height }: Box): [number, number, number, number] {
  const side = closeUp.width;
  return [
    (x - closeUp.x) / side,
    (y - closeUp.y) / side,
    (x + width - closeUp.x) / side,
    (y + height - closeUp.y) / side,
  ];
}
