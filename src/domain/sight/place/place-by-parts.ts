import type { Box } from '../../geometry.ts';

/** A part's box in a photo; pixels. */
export interface PlacedPart {
  readonly part: string;
  readonly box: Box;
  readonly isTruncated: boolean;
}

/** Parts that a photo may show several times under one name. */
const REPEATED_PARTS = /^wheel$/;
/** Weight of the part that the location is on. */
const SAME_PART_WEIGHT = 3;

/**
 * Estimates the position of a box in another photo of the same view from the parts untruncated in both; null if they
 * share none. A hint, not evidence: it is right in nine of ten photos of the same view and in half of the others.
 */
export function predictByParts(
  source: readonly PlacedPart[],
  target: readonly PlacedPart[],
  box: Box,
  locationPart: string | undefined,
): Box | null {
  const pairs = source.flatMap((one) => {
    const same = target.find(({ part }) => part === one.part);
    if (!same || one.isTruncated || same.isTruncated || REPEATED_PARTS.test(one.part)) return [];
    return [{ from: one.box, to: same.box, weight: one.part === locationPart ? SAME_PART_WEIGHT : 1 }];
  });
  const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const horizontal = fitLine(
    pairs.flatMap(({ from, to, weight }) => [
      { from: from.x, to: to.x, weight },
      { from: from.x + from.width, to: to.x + to.width, weight },
    ]),
    centre.x,
  );
  const vertical = fitLine(
    pairs.flatMap(({ from, to, weight }) => [
      { from: from.y, to: to.y, weight },
      { from: from.y + from.height, to: to.y + to.height, weight },
    ]),
    centre.y,
  );
  if (horizontal === null || vertical === null) return null;
  return {
    x: horizontal.scale * box.x + horizontal.offset,
    y: vertical.scale * box.y + vertical.offset,
    width: horizontal.scale * box.width,
    height: vertical.scale * box.height,
  };
}

interface Edge {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

/** Distance from the location, pixels, at which the weight of edges halves; hardly matters, whatever the resolution. */
const HALF_WEIGHT_DISTANCE = 150;
/** Error of the part boxes, pixels, that is never an outlier. */
const USUAL_ERROR = 5;
const MIN_SCALE = 0.1;

/** Fits `to = scale x from + offset` around a location in two passes; the second gives outliers less weight. */
function fitLine(edges: readonly Edge[], centre: number): { scale: number; offset: number } | null {
  const weighted = edges.map((edge) => ({
    ...edge,
    weight: edge.weight / (1 + Math.abs(edge.from - centre) / HALF_WEIGHT_DISTANCE),
  }));
  const first = fitLeastSquares(weighted);
  if (first === null) return null;
  const errors = weighted.map(({ from, to }) => Math.abs(first.scale * from + first.offset - to));
  const medianError = errors.toSorted((a, b) => a - b)[Math.floor(errors.length / 2)] ?? 0;
  const robust = weighted.map((edge, at) => ({
    ...edge,
    weight: edge.weight / (1 + ((errors[at] ?? 0) / (2 * medianError + USUAL_ERROR)) ** 2),
  }));
  return fitLeastSquares(robust);
}

function fitLeastSquares(edges: readonly Edge[]): { scale: number; offset: number } | null {
  const sum = (read: (edge: Edge) => number) =>
    edges.reduce((total, edge) => total + edge.weight * read(edge), 0);
  const weight = sum(() => 1);
  if (weight === 0) return null;
  const [meanFrom, meanTo] = [sum(({ from }) => from) / weight, sum(({ to }) => to) / weight];
  const spread = sum(({ from }) => (from - meanFrom) ** 2);
  if (spread < 1) return null;
  const scale = sum(({ from, to }) => (from - meanFrom) * (to - meanTo)) / spread;
  return scale > MIN_SCALE ? { scale, offset: meanTo - scale * meanFrom } : null;
}
