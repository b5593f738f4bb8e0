import { type Box, clampToPixels, type Size } from '../domain/geometry.ts';
import { groupsOf } from './groups.ts';

/** A number plate (or what looks like one): its box in pixels of the upright photo and how sure the model is, 0 to 1. */
export interface Plate {
  readonly box: Box;
  readonly confidence: number;
}

/** Around a find, as a share of its shorter side: a plate that is blurred too far harms nobody, a letter left does. */
const MARGIN = 0.35;

/**
 * Plates in a mask (probability per cell, 0 to 255, `columns` a row, covering the whole photo): groups of cells that
 * reach half the threshold and hold one that reaches it. Surest first.
 */
export function plateBoxes(mask: Uint8Array, columns: number, threshold: number, photo: Size): Plate[] {
  const rows = mask.length / columns;
  const cell = { width: photo.width / columns, height: photo.height / rows };
  const inside = mask.map((value) => (value >= (threshold / 2) * 255 ? 1 : 0));
  return groupsOf(inside, columns)
    .map((group) => ({ group, confidence: Math.max(...group.map((at) => mask[at] ?? 0)) / 255 }))
    .filter(({ confidence }) => confidence >= threshold)
    .map(({ group, confidence }) => ({ box: boxAround(group, columns, cell, photo), confidence }))
    .sort((a, b) => b.confidence - a.confidence);
}

function boxAround(group: readonly number[], columns: number, cell: Size, photo: Size): Box {
  const xs = group.map((at) => at % columns);
  const ys = group.map((at) => Math.floor(at / columns));
  const [left, top] = [Math.min(...xs) * cell.width, Math.min(...ys) * cell.height];
  const width = (Math.max(...xs) + 1) * cell.width - left;
  const height = (Math.max(...ys) + 1) * cell.height - top;
  const rim = Math.min(width, height) * MARGIN;
  return clampToPixels(
    { x: left - rim, y: top - rim, width: width + 2 * rim, height: height + 2 * rim },
    photo,
  );
}
