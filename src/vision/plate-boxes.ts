import type { PartMap, SegmentLabel } from '../domain/detection.ts';
import { type Box, clampToPixels, type Size } from '../domain/geometry.ts';
import { groupsOf } from './groups.ts';

/** A number plate (or what looks like one): its box in pixels of the upright photo and how sure the model is, 0 to 1. */
export interface Plate {
  readonly box: Box;
  readonly confidence: number;
}

/** The model's grid over the whole photo: probability of a plate per cell, 0 to 255, row by row. */
export interface PlateMask {
  readonly cells: Uint8Array;
  readonly columns: number;
}

/** Where plates hang: the finder takes windows and lamps for plates, but on these parts there are few. */
const CARRIERS: ReadonlySet<SegmentLabel> = new Set(['front_bumper', 'rear_bumper', 'trunk_lid']);
/** A find smaller than this share of the largest one is a badge, a fog lamp or a reflector beside the plate. */
const LEAST_OF_LARGEST = 0.4;
/** Around a find, as a share of its shorter side: a plate that is blurred too far harms nobody, a letter left does. */
const MARGIN = 0.5;
/** Width over height at least: of a plate seen from the side, at times only one end is found. */
const LEAST_PROPORTION = 2;

/**
 * Plates in a mask: groups of cells on bumpers and tailgate that reach half the threshold and hold one that reaches
 * it, without those much smaller than the largest. Surest first.
 */
export function plateBoxes(mask: PlateMask, threshold: number, photo: Size, parts: PartMap): Plate[] {
  const { cells, columns } = mask;
  const rows = cells.length / columns;
  const inside = cells.map((value, at) =>
    value >= (threshold / 2) * 255 &&
    CARRIERS.has(partAt(parts, ((at % columns) + 0.5) / columns, (Math.floor(at / columns) + 0.5) / rows))
      ? 1
      : 0,
  );
  const groups = groupsOf(inside, columns)
    .map((group) => ({ group, confidence: Math.max(...group.map((at) => cells[at] ?? 0)) / 255 }))
    .filter(({ confidence }) => confidence >= threshold);
  const largest = Math.max(0, ...groups.map(({ group }) => group.length));
  const cell = { width: photo.width / columns, height: photo.height / rows };
  return groups
    .filter(({ group }) => group.length >= LEAST_OF_LARGEST * largest)
    .map(({ group, confidence }) => ({ box: boxAround(group, columns, cell, photo), confidence }))
    .sort((a, b) => b.confidence - a.confidence);
}

/** The part at a place of the photo, 0 to 1 each way. */
function partAt({ labels, best, width, height }: PartMap, x: number, y: number): SegmentLabel {
  return labels[best[Math.floor(y * height) * width + Math.floor(x * width)] ?? 0] ?? 'background';
}

function boxAround(group: readonly number[], columns: number, cell: Size, photo: Size): Box {
  const xs = group.map((at) => at % columns);
  const ys = group.map((at) => Math.floor(at / columns));
  const [left, top] = [Math.min(...xs) * cell.width, Math.min(...ys) * cell.height];
  const width = (Math.max(...xs) + 1) * cell.width - left;
  const height = (Math.max(...ys) + 1) * cell.height - top;
  const rim = Math.min(width, height) * MARGIN;
  const tall = height + 2 * rim;
  const wide = Math.max(width + 2 * rim, tall * LEAST_PROPORTION);
  return clampToPixels({ x: left + (width - wide) / 2, y: top - rim, width: wide, height: tall }, photo);
}
