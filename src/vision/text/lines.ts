import { type Box, computeShareOfSmaller, type Size } from '../../domain/geometry.ts';
import { boundsOf, distance, measureArea, type Point, type Quad } from '../../domain/quad.ts';
import { findConnectedComponents } from '../../domain/sight/connected-components.ts';
import { meanBy } from '../../lib/lists.ts';
import { encloseHull, findHull, growQuad, hullOfCells, orderCorners, pickCorners } from '../corners.ts';

/** Minimum text probability (of 255) of a pixel, and of a line's pixels on average: PaddleOCR's defaults. */
const MIN_HEAT = 77;
const MIN_LINE_HEAT = 153;
/** Growth of the detected cores of lines, as a multiple of area over perimeter (PaddleOCR's `unclip_ratio`). */
const UNCLIP = 1.6;
/** Minimum size of a line's core in pixels of the map; smaller ones are specks, no characters. */
const MIN_CELLS = 24;
/** Maximum number of lines read, largest first; a photo with more shows a printed page. */
const MAX_LINES = 12;
/** Minimum vertical overlap of two pieces of one row, as a share of the taller piece. */
const MIN_ROW_OVERLAP = 0.4;
/** Share of the smaller of two lines that the larger covers if both show the same text. */
const MIN_SHARE_OF_SAME_LINE = 0.5;
/** Distance of a row from the side of the searched area, in row heights, below which it may be cut off. */
const MIN_DISTANCE_FROM_SIDE = 0.35;

/** Convex hull of the core of a line of text, which excludes the outer ends of the characters. Never degenerate. */
export type Line = readonly Point[];

/** Lists the lines of text in a picture, largest first, in its pixels; `heat` is the text probability per pixel. */
export function listLines(heat: Uint8Array, { width }: Size): readonly Line[] {
  const mask = heat.map((value) => Number(value >= MIN_HEAT));
  const meanHeat = (cells: readonly number[]) => meanBy(cells, (cell) => heat[cell] as number);
  return findConnectedComponents(mask, width)
    .filter((cells) => cells.length >= MIN_CELLS && meanHeat(cells) >= MIN_LINE_HEAT)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_LINES)
    .map((cells) => hullOfCells(cells, width))
    .filter((hull) => hull.length >= 3);
}

/**
 * Joins the largest line with those that continue it: gaps between the groups of a plate split its row. Null without one.
 * @param lines largest first
 * @param part of the row; lines elsewhere only continue it, however large. Null: any row.
 */
export function joinRow(lines: readonly Line[], part: Line | null = null): Line | null {
  const isOnPart = (line: Line) =>
    !part || computeShareOfSmaller(boundsOf(line), boundsOf(part)) > MIN_SHARE_OF_SAME_LINE;
  const largest = lines.find(isOnPart);
  if (largest === undefined) return null;
  const others = lines.filter((line) => line !== largest);
  const [start, , , below] = orderCorners(encloseHull(largest));
  const height = distance(start, below);
  const across = { x: (below.x - start.x) / height, y: (below.y - start.y) / height };
  const continues = (line: Line) => {
    const heights = line.map(({ x, y }) => (x - start.x) * across.x + (y - start.y) * across.y);
    const [top, bottom] = [Math.min(...heights), Math.max(...heights)];
    return Math.min(bottom, height) - Math.max(top, 0) > MIN_ROW_OVERLAP * Math.max(height, bottom - top);
  };
  return findHull([largest, ...others.filter(continues)].flat());
}

/** Returns true if a row may extend beyond the left or right side of the searched area. */
export function mayContinue(row: Line, area: Box): boolean {
  const quad = encloseLine(row);
  const { x, width } = boundsOf(quad);
  const distanceFromSide = Math.min(x - area.x, area.x + area.width - (x + width));
  return distanceFromSide < MIN_DISTANCE_FROM_SIDE * distance(quad[0], quad[3]);
}

/** Returns the smallest rectangle, at any angle, around a whole line. */
export const encloseLine = (line: Line): Quad => unclip(encloseHull(line));

/** Returns the quadrilateral spanned by a line; its sides converge if it is seen at an angle. */
export const spanLine = (line: Line): Quad => unclip(pickCorners(line) ?? encloseHull(line));

/** Grows a core's quadrilateral to the whole line by moving all sides outwards by the same distance. */
function unclip(core: Quad): Quad {
  const quad = orderCorners(core);
  const [a, b, , d] = quad;
  const [along, across] = [Math.max(1, distance(a, b)), Math.max(1, distance(a, d))];
  const by = (UNCLIP * measureArea(quad)) / (2 * (along + across));
  return growQuad(quad, by / along, by / across);
}
