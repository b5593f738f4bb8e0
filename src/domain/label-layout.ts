import { sumBy } from '../lib/lists.ts';
import { area, type Box, clamp, intersection, measureGap, type Size } from './geometry.ts';

/** A label to place: its box and its own size, pixels of the picture. */
interface LabelRequest {
  readonly target: Box;
  readonly size: Size;
}

/** Cost of covering one label area: of another label, another box, its own box. */
const LABEL_COST = 1000;
const BOX_COST = 1;
const OWN_BOX_COST = 0.4;
/** Cost of one label height of distance from the box, in label areas. */
const DISTANCE_COST = 0.05;

/**
 * Places labels sequentially next to their boxes inside the picture: avoids covering earlier labels if possible, then
 * minimizes the covered box area. Returns the requests with the boxes of their labels, pixels of the picture.
 */
export function layOutLabels<R extends LabelRequest>(
  requests: readonly R[],
  picture: Size,
): readonly (R & { readonly label: Box })[] {
  const placed: (R & { readonly label: Box })[] = [];
  for (const request of requests) {
    const { target, size } = request;
    const labels = placed.map(({ label }) => label);
    const others = requests.filter((other) => other !== request).map((other) => other.target);
    const computeCost = (label: Box) =>
      LABEL_COST * computeCoveredShare(label, labels) +
      BOX_COST * computeCoveredShare(label, others) +
      OWN_BOX_COST * computeCoveredShare(label, [target]) +
      DISTANCE_COST * (measureGap(label, target) / size.height);
    const findCheapest = (corners: readonly Corner[]) => {
      const boxes = corners.map((corner) => moveInsidePicture(corner, size, picture));
      const costs = boxes.map(computeCost);
      return boxes[costs.indexOf(Math.min(...costs))] as Box;
    };
    const nearest = findCheapest(listCornersAround(request));
    const isFree = labels.every((label) => intersection(label, nearest) === 0);
    placed.push({ ...request, label: isFree ? nearest : findCheapest(listAllCorners(request, picture)) });
  }
  return placed;
}

type Corner = readonly [x: number, y: number];

function listCornersAround({ target, size }: LabelRequest): readonly Corner[] {
  const right = target.x + target.width;
  const bottom = target.y + target.height;
  const above = target.y - size.height;
  return [
    [target.x, above],
    [right - size.width, above],
    [target.x, bottom],
    [right - size.width, bottom],
    [right, target.y],
    [target.x - size.width, target.y],
    [right, bottom - size.height],
    [target.x - size.width, bottom - size.height],
    [target.x, target.y],
    [right - size.width, bottom - size.height],
  ];
}

function listAllCorners({ target, size }: LabelRequest, picture: Size): readonly Corner[] {
  const corners: Corner[] = [...listCornersAround({ target, size })];
  for (let y = 0; y + size.height <= picture.height; y += size.height / 2) {
    for (let x = 0; x + size.width <= picture.width; x += size.width / 4) corners.push([x, y]);
  }
  return corners;
}

function moveInsidePicture([x, y]: Corner, size: Size, picture: Size): Box {
  return {
    x: clamp(x, 0, picture.width - size.width),
    y: clamp(y, 0, picture.height - size.height),
    ...size,
  };
}

const computeCoveredShare = (label: Box, boxes: readonly Box[]): number =>
  sumBy(boxes, (box) => intersection(label, box)) / area(label);
