import { area, type Box, intersection, type Size } from '../geometry.ts';
import { computeBoundingBox, findConnectedComponents } from './connected-components.ts';
import type { PartMap } from './detection.ts';

/** Parts of which a vehicle has one size, so their size in a photo indicates distance. */
const SINGLE_SIZE_PARTS = [/^wheel$/, /^taillight_/] as const;
/** Cell count relative to the largest piece below which a wheel or tail lamp belongs to a more distant vehicle. */
const MAX_DISTANT_CELL_RATIO = 0.1;
/** Minimum cells of a piece; smaller ones are segmentation noise. */
const MIN_PIECE_CELLS = 6;
/** Maximum ratio of a box's area to the piece's; a larger box marks something else. */
const MAX_AREA_RATIO = 40;

/** Returns the boxes, pixels of the photo, of wheels and tail lamps far smaller than the largest ones. */
export function listDistantParts({ bestLabels, labels, width, height }: PartMap, photo: Size): Box[] {
  const cell = { width: photo.width / width, height: photo.height / height };
  return SINGLE_SIZE_PARTS.flatMap((pattern) => {
    const components = findConnectedComponents(
      bestLabels.map((label) => (pattern.test(labels[label] ?? '') ? 1 : 0)),
      width,
    );
    const maxCells = Math.max(0, ...components.map(({ length }) => length));
    return components
      .filter(({ length }) => length >= MIN_PIECE_CELLS && length < MAX_DISTANT_CELL_RATIO * maxCells)
      .map((component) => computeBoundingBox(component, width, cell));
  });
}

/**
 * Returns whether a finding lies at a wheel or tail lamp far smaller than the largest: on a vehicle behind, or at the
 * far end of this one. Nine of 178 labelled photos have such findings, 16 at any confidence, and none touches a damage;
 * at far headlights some do.
 */
export function isOnDistantPart(box: Box, pieces: readonly Box[]): boolean {
  return pieces.some((piece) => intersection(box, piece) > 0 && area(box) < MAX_AREA_RATIO * area(piece));
}
