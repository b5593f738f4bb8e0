import { area, type Box, clampToPixels, growBox } from '../../domain/geometry.ts';
import type { RgbImage } from '../../domain/photo.ts';
import { boundsOf, distance, mapQuad, measureArea, type Point, type Quad } from '../../domain/quad.ts';
import { findConnectedComponents } from '../../domain/sight/connected-components.ts';
import { growQuad, hullOfCells, orderCorners, pickCorners } from '../corners.ts';

/** Growth of the box to the searched window, as a fraction of its sides. */
const WINDOW_MARGIN = 0.1;
/** Longest side of the searched window in cells; a finer grid moves no corner by a pixel of the plate's lettering. */
const MAX_CELLS = 160;
/** The middle of the window reaches this far from its center, as a fraction of its sides: half of them. */
const MIDDLE = 0.25;
/** Minimum share of the box that the outline's bounds and area must fill; less suggests a character, a frame or a badge. */
const MIN_BOUNDS = 0.7;
const MIN_AREA = 0.3;
/** Minimum share of the region's hull that its four corners span; below it the region is no quadrilateral. */
const MIN_SQUARENESS = 0.88;
/** Maximum ratio of opposite sides: a plate seen at an angle tapers little, a patch of light a lot. */
const MAX_TAPER = 1.5;
/** Maximum number of window sides that the region touches; light paint around the plate touches more. */
const MAX_SIDES_REACHED = 2;
/** Growth of the outline at each end, as shares of its length and height, over country band, rim and corners. */
const BAND = 0.12;
const RIM = 0.08;

/**
 * Finds the four corners of a light plate with dark characters inside a box: the light region that fills the middle of
 * the box. Returns pixels of `raster`, clockwise from the top left, rim included. Null if equally light paint surrounds
 * the plate, and for dark plates, whose region could not be distinguished from a grille.
 */
export function findOutline(raster: RgbImage, box: Box): Quad | null {
  const window = clampToPixels(growBox(box, WINDOW_MARGIN * box.width, WINDOW_MARGIN * box.height), raster);
  const step = Math.max(1, Math.max(window.width, window.height) / MAX_CELLS);
  const gray = sampleGray(raster, window, step);
  const limit = chooseThreshold(gray.cells);
  const hull = hullOfMiddle(gray, limit);
  const corners = hull && pickCorners(hull);
  if (!hull || !corners || measureArea(corners) < MIN_SQUARENESS * measureArea(hull)) return null;
  if (countSidesReached(hull, gray) > MAX_SIDES_REACHED) return null;
  const quad = mapQuad(corners, ({ x, y }) => ({ x: window.x + x * step, y: window.y + y * step }));
  if (tapers(quad) || !fills(quad, box)) return null;
  const [a, b, c, d] = orderCorners(quad);
  // The hull joins the centers of cells, so the plate ends up to half a cell beyond it.
  const halfCell = step / 2 / Math.min(distance(a, d), distance(b, c));
  return growQuad([a, b, c, d], BAND, RIM + halfCell);
}

interface Grid {
  readonly cells: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Samples the gray level, the mean of the channels, of one pixel per `step` pixels of the window. */
function sampleGray({ data, width: stride }: RgbImage, window: Box, step: number): Grid {
  const width = Math.max(1, Math.floor(window.width / step));
  const height = Math.max(1, Math.floor(window.height / step));
  const cells = new Uint8Array(width * height);
  for (let row = 0, cell = 0; row < height; row++)
    for (let column = 0; column < width; column++, cell++) {
      const at = 3 * (Math.floor(window.y + row * step) * stride + Math.floor(window.x + column * step));
      cells[cell] = ((data[at] as number) + (data[at + 1] as number) + (data[at + 2] as number)) / 3;
    }
  return { cells, width, height };
}

/** Returns the gray level that best separates light from dark (Otsu 1979). */
function chooseThreshold(cells: Uint8Array): number {
  const counts = new Float64Array(256);
  for (const value of cells) (counts[value] as number)++;
  const total = cells.length;
  const sum = counts.reduce((all, count, value) => all + count * value, 0);
  let [below, sumBelow, best, limit] = [0, 0, -1, 127];
  for (let value = 0; value < 255; value++) {
    below += counts[value] as number;
    sumBelow += value * (counts[value] as number);
    if (below === 0 || below === total) continue;
    const gap = sumBelow / below - (sum - sumBelow) / (total - below);
    const between = below * (total - below) * gap * gap;
    if (between > best) [best, limit] = [between, value];
  }
  return limit;
}

/** Returns the convex hull of the connected light cells that fill most of the middle; null if there are none. */
function hullOfMiddle({ cells, width, height }: Grid, limit: number): Point[] | null {
  const light = cells.map((value) => Number(value > limit));
  const countInMiddle = (component: readonly number[]) =>
    component.filter(
      (cell) =>
        Math.abs((cell % width) / width - 0.5) < MIDDLE &&
        Math.abs(Math.floor(cell / width) / height - 0.5) < MIDDLE,
    ).length;
  const [best] = findConnectedComponents(light, width)
    .map((component) => ({ component, count: countInMiddle(component) }))
    .sort((one, other) => other.count - one.count);
  return best && best.count > 0 ? hullOfCells(best.component, width) : null;
}

function countSidesReached(hull: readonly Point[], { width, height }: Grid): number {
  const bounds = boundsOf(hull);
  const [right, bottom] = [bounds.x + bounds.width, bounds.y + bounds.height];
  return [bounds.x < 1, bounds.y < 1, right > width - 1, bottom > height - 1].filter(Boolean).length;
}

const fills = (quad: Quad, box: Box): boolean =>
  area(boundsOf(quad)) >= MIN_BOUNDS * area(box) && measureArea(quad) >= MIN_AREA * area(box);

function tapers([a, b, c, d]: Quad): boolean {
  const isOff = (one: number, other: number) => Math.max(one, other) > MAX_TAPER * Math.min(one, other);
  return isOff(distance(a, b), distance(c, d)) || isOff(distance(b, c), distance(d, a));
}
