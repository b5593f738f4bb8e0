import type { Box } from '../../geometry.ts';

/** A part's box in a photo; pixels. */
export interface PlacedPart {
  readonly part: string;
  readonly box: Box;
  readonly cut: boolean;
}

/** Parts that a photo may show several times under one name. */
const NOT_UNIQUE = /^wheel$/;
/** Weight of the part that the location is on. */
const OWN_WEIGHT = 3;

/**
 * Estimates the position of a box in another photo of the same view from the parts untruncated in both; null if they
 * share none. A hint, not evidence: it is right in nine of ten photos of the same view and in half of the others.
 */
export function placeByParts(
  own: readonly PlacedPart[],
  other: readonly PlacedPart[],
  box: Box,
  ownPart: string | undefined,
): Box | null {
  const pairs = own.flatMap((one) => {
    const same = other.find(({ part }) => part === one.part);
    if (!same || one.cut || same.cut || NOT_UNIQUE.test(one.part)) return [];
    return [{ from: one.box, to: same.box, weight: one.part === ownPart ? OWN_WEIGHT : 1 }];
  });
  const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const along = fitLine(
    pairs.flatMap(({ from, to, weight }) => [
      { from: from.x, to: to.x, weight },
      { from: from.x + from.width, to: to.x + to.width, weight },
    ]),
    centre.x,
  );
  const down = fitLine(
    pairs.flatMap(({ from, to, weight }) => [
      { from: from.y, to: to.y, weight },
      { from: from.y + from.height, to: to.y + to.height, weight },
    ]),
    centre.y,
  );
  if (along === null || down === null) return null;
  return {
    x: along.scale * box.x + along.offset,
    y: down.scale * box.y + down.offset,
    width: along.scale * box.width,
    height: down.scale * box.height,
  };
}

interface Edge {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

/** Distance from the location, pixels, at which the weight of edges halves. */
const HALF_WEIGHT_AT = 150;

/** Fits `to = scale x from + offset` around a location in two passes; the second gives outliers less weight. */
function fitLine(edges: readonly Edge[], around: number): { scale: number; offset: number } | null {
  const near = edges.map((edge) => ({
    ...edge,
    weight: edge.weight / (1 + Math.abs(edge.from - around) / HALF_WEIGHT_AT),
  }));
  const first = leastSquares(near);
  if (first === null) return null;
  const errors = near.map(({ from, to }) => Math.abs(first.scale * from + first.offset - to));
  const typical = errors.toSorted((a, b) => a - b)[Math.floor(errors.length / 2)] ?? 0;
  const robust = near.map((edge, at) => ({
    ...edge,
    weight: edge.weight / (1 + ((errors[at] ?? 0) / (2 * typical + 5)) ** 2),
  }));
  return leastSquares(robust);
}

function leastSquares(edges: readonly Edge[]): { scale: number; offset: number } | null {
  const sum = (read: (edge: Edge) => number) =>
    edges.reduce((all, edge) => all + edge.weight * read(edge), 0);
  const weight = sum(() => 1);
  if (weight === 0) return null;
  const [meanFrom, meanTo] = [sum(({ from }) => from) / weight, sum(({ to }) => to) / weight];
  const spread = sum(({ from }) => (from - meanFrom) ** 2);
  if (spread < 1) return null;
  const scale = sum(({ from, to }) => (from - meanFrom) * (to - meanTo)) / spread;
  return scale > 0.1 ? { scale, offset: meanTo - scale * meanFrom } : null;
}
