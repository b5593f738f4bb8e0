import { distance, type Point, type Quad } from '../domain/quad.ts';

const cross = (o: Point, a: Point, b: Point) => (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);

/** Returns the convex hull of points (Andrew's monotone chain). */
export function findHull(points: readonly Point[]): Point[] {
  const sorted = points.toSorted((a, b) => a.x - b.x || a.y - b.y);
  const chain = (list: readonly Point[]) => {
    const half: Point[] = [];
    for (const point of list) {
      while (half.length > 1 && cross(half.at(-2) as Point, half.at(-1) as Point, point) <= 0) half.pop();
      half.push(point);
    }
    return half.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.toReversed())];
}

/** Returns the convex hull of grid cells, given by their index in rows of `width`; one unit is a cell. */
export function hullOfCells(cells: readonly number[], width: number): Point[] {
  const rows = new Map<number, { first: number; last: number }>();
  for (const cell of cells) {
    const [x, y] = [cell % width, Math.floor(cell / width)];
    const row = rows.get(y);
    rows.set(y, { first: Math.min(row?.first ?? x, x), last: Math.max(row?.last ?? x, x) });
  }
  const ends = [...rows].flatMap(([y, { first, last }]) => [
    { x: first + 0.5, y: y + 0.5 },
    { x: last + 0.5, y: y + 0.5 },
  ]);
  return findHull(ends);
}

/** Returns the four points of a hull that span the largest area, in its order; undefined for fewer points. */
export function pickCorners(hull: readonly Point[]): Quad | undefined {
  let best: Quad | undefined;
  let most = 0;
  for (let i = 0; i < hull.length; i++)
    for (let j = i + 2; j < hull.length; j++) {
      const [a, b] = [hull[i] as Point, hull[j] as Point];
      const farthest = (list: readonly Point[]) =>
        list.reduce<Point | undefined>(
          (far, point) => (far && Math.abs(cross(a, b, far)) >= Math.abs(cross(a, b, point)) ? far : point),
          undefined,
        );
      const c = farthest(hull.slice(i + 1, j));
      const d = farthest([...hull.slice(j + 1), ...hull.slice(0, i)]);
      if (!c || !d) continue;
      const area = Math.abs(cross(a, b, c)) + Math.abs(cross(a, b, d));
      if (area > most) [most, best] = [area, [a, c, b, d]];
    }
  return best;
}

/** Returns the smallest rectangle, at any angle, that encloses a hull of three points or more. */
export function encloseHull(hull: readonly Point[]): Quad {
  const rectangles = hull.map((from, at) => enclose(hull, from, hull[(at + 1) % hull.length] as Point));
  return rectangles.reduce((best, one) => (one.area < best.area ? one : best)).quad;
}

/** Encloses points in a rectangle with one side along the line from `from` to `to`. */
function enclose(points: readonly Point[], from: Point, to: Point) {
  const length = distance(from, to);
  const u = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  const along = points.map(({ x, y }) => x * u.x + y * u.y);
  const across = points.map(({ x, y }) => y * u.x - x * u.y);
  const [left, right] = [Math.min(...along), Math.max(...along)];
  const [top, bottom] = [Math.min(...across), Math.max(...across)];
  const corner = (a: number, b: number): Point => ({ x: a * u.x - b * u.y, y: a * u.y + b * u.x });
  const quad: Quad = [corner(left, top), corner(right, top), corner(right, bottom), corner(left, bottom)];
  return { quad, area: (right - left) * (bottom - top) };
}

/** Orders the corners clockwise, starting with the one nearest the top left. */
export function orderCorners(quad: Quad): Quad {
  const clockwise = cross(quad[0], quad[1], quad[2]) > 0 ? [...quad] : [...quad].reverse();
  const reach = ({ x, y }: Point) => x + y;
  const start = clockwise.reduce(
    (best, corner, at) => (reach(corner) < reach(clockwise[best] as Point) ? at : best),
    0,
  );
  const corner = (at: number) => clockwise[(start + at) % 4] as Point;
  return [corner(0), corner(1), corner(2), corner(3)];
}

/** Grows a quadrilateral: `along` and `across` are fractions of its upper and lower, and of its left and right sides. */
export function growQuad([a, b, c, d]: Quad, along: number, across: number): Quad {
  const push = (corner: Point, neighbor: Point, below: Point): Point => ({
    x: corner.x + (corner.x - neighbor.x) * along + (corner.x - below.x) * across,
    y: corner.y + (corner.y - neighbor.y) * along + (corner.y - below.y) * across,
  });
  return [push(a, b, d), push(b, a, c), push(c, d, b), push(d, c, a)];
}
