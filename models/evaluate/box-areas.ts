import { area, type Box, clipBox } from '../../src/domain/geometry.ts';

/** Computes the area of the union of boxes in one frame, in square pixels. */
export function measureJointArea(boxes: readonly Box[]): number {
  const xs = listEdges(boxes.flatMap(({ x, width }) => [x, x + width]));
  return xs.slice(1).reduce((total, right, at) => {
    const left = xs[at] as number;
    const crossing = boxes.filter(({ x, width }) => x <= left && x + width >= right);
    return total + (right - left) * computeUnionLength(crossing);
  }, 0);
}

/** Lists the non-empty intersections of `boxes` with `others`. */
export function intersectAll(boxes: readonly Box[], others: readonly Box[]): Box[] {
  return boxes.flatMap((a) => others.map((b) => clipBox(a, b))).filter((shared) => area(shared) > 0);
}

function computeUnionLength(boxes: readonly Box[]): number {
  let [total, end] = [0, Number.NEGATIVE_INFINITY];
  for (const { y, height } of boxes.toSorted((a, b) => a.y - b.y)) {
    total += Math.max(0, y + height - Math.max(end, y));
    end = Math.max(end, y + height);
  }
  return total;
}

function listEdges(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}
