import type { Box } from './geometry.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Four corners in pixels, clockwise from the top left. */
export type Quad = readonly [Point, Point, Point, Point];

/** Returns the distance between two points. */
export function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

export function mapQuad([a, b, c, d]: Quad, move: (corner: Point) => Point): Quad {
  return [move(a), move(b), move(c), move(d)];
}

export function toQuad({ x, y, width, height }: Box): Quad {
  return [
    { x, y },
    { x: x + width, y },
    { x: x + width, y: y + height },
    { x, y: y + height },
  ];
}

/** Returns the smallest box that encloses a polygon. */
export function boundsOf(points: readonly Point[]): Box {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** Returns the area of a polygon in square pixels. */
export function measureArea(points: readonly Point[]): number {
  const twice = points.reduce((sum, { x, y }, at) => {
    const next = points[(at + 1) % points.length] as Point;
    return sum + x * next.y - next.x * y;
  }, 0);
  return Math.abs(twice) / 2;
}
