import type { Box, Size } from '../../domain/geometry.ts';
import { boundsOf, measureArea, type Point, type Quad } from '../../domain/quad.ts';
import { findConnectedComponents } from '../../domain/sight/connected-components.ts';
import { encloseHull, findHull, growQuad, hullOfCells, orderCorners, pickCorners } from './corners.ts';
import { distance } from './strip.ts';

/** Minimum probability of a pixel of text (of 255), and of a line of them on average: PaddleOCR's defaults. */
const MIN_HEAT = 77;
const MIN_LINE_HEAT = 153;
/** Growth of the marked cores of lines, as a share of area over perimeter (PaddleOCR's `unclip_ratio`). */
const UNCLIP = 1.6;
const MIN_CELLS = 24;
/** Maximum number of lines that are read, the largest first: more are a page of print. */
const MAX_LINES = 12;
/** Minimum overlap across of two pieces of one row, as a share of the higher piece. */
const MIN_ROW_OVERLAP = 0.4;
/** Distance of a row from the side of the searched part, in heights of the row, below which the part may cut it. */
const MIN_DISTANCE_FROM_SIDE = 0.35;

/** Convex hull of the core of a line of text: the model marks the middle of the signs, not their ends. Never a line or point. */
export type Line = readonly Point[];

/** Lists the lines of text of a picture by the probability of its pixels, in its pixels, the largest first. */
export function listLines(heat: Uint8Array, { width }: Size): readonly Line[] {
  const mask = heat.map((value) => Number(value >= MIN_HEAT));
  const meanHeat = (cells: readonly number[]) =>
    cells.reduce((sum, cell) => sum + (heat[cell] as number), 0) / cells.length;
  return findConnectedComponents(mask, width)
    .filter((cells) => cells.length >= MIN_CELLS && meanHeat(cells) >= MIN_LINE_HEAT)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_LINES)
    .map((cells) => hullOfCells(cells, width))
    .filter((hull) => hull.length >= 3);
}

/** Joins the largest line with those that continue it: gaps between the groups of a plate part its row. */
export function joinRow([largest, ...others]: readonly Line[]): Line {
  if (largest === undefined) return [];
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

/** Returns true if a row may go on beyond the left or right side of the part in which it was found. */
export function isCut(row: Line, part: Box): boolean {
  if (row.length === 0) return false;
  const quad = encloseLine(row);
  const { x, width } = boundsOf(quad);
  const distanceFromSide = Math.min(x - part.x, part.x + part.width - (x + width));
  return distanceFromSide < MIN_DISTANCE_FROM_SIDE * distance(quad[0], quad[3]);
}

/** Returns the smallest rectangle, at any angle, around a whole line. */
export const encloseLine = (line: Line): Quad => unclip(encloseHull(line));

/** Returns the quadrilateral that a line spans, whose sides converge where it is seen at an angle. */
export const spanLine = (line: Line): Quad => unclip(pickCorners(line) ?? encloseHull(line));

/** Grows a quadrilateral of a core to the whole line: its sides move apart by the same distance. */
function unclip(core: Quad): Quad {
  const quad = orderCorners(core);
  const [a, b, , d] = quad;
  const [along, across] = [Math.max(1, distance(a, b)), Math.max(1, distance(a, d))];
  const by = (UNCLIP * measureArea(quad)) / (2 * (along + across));
  return growQuad(quad, by / along, by / across);
}
