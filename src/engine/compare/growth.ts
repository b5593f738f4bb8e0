import { area, type Box, intersection, union } from '../../domain/geometry.ts';
import { LISTED_CONFIDENCE } from '../../domain/judge/compare.ts';
import type { FoundPlace, OwnPlace } from './look-again.ts';
import { toBox } from './photo-record.ts';

/** Minimum length of both boxes' union relative to the earlier box for growth. */
const MIN_GROWTH = 1.3;
/** Share of the added area that an earlier candidate covers if the damage was already there. */
const MIN_COVERED = 0.5;

/**
 * Restricts each view of the later damage to the area by which it exceeds the earlier one, so that comparing images
 * judges only that area. Omits views in which the damage is hardly longer, or an earlier candidate, listed or not,
 * covers the added area.
 */
export function listGrownViews(
  views: readonly FoundPlace[],
  earlierPlaces: readonly OwnPlace[],
): readonly FoundPlace[] {
  return views.flatMap((view) => {
    const { own, other } = view;
    const earlier = earlierPlaces.find(({ photo }) => photo.sha256 === other.photo.sha256)?.box;
    if (earlier === undefined || !isLonger(other.box, earlier)) return [];
    const [added, rest] = splitBeyond(other.box, earlier);
    const addedBefore = placeIn(other.box, added);
    const covering = (other.photo.record?.candidates ?? []).filter(
      ({ box }) => intersection(toBox(box), addedBefore) > MIN_COVERED * area(addedBefore),
    );
    const candidate = Math.max(0, ...covering.map(({ confidence }) => confidence));
    if (candidate >= LISTED_CONFIDENCE) return [];
    return [
      {
        ...view,
        own: { ...own, box: placeIn(own.box, added) },
        other: { ...other, box: addedBefore },
        candidate,
        elsewhere: [...view.elsewhere, placeIn(own.box, rest)],
      },
    ];
  });
}

function isLonger(later: Box, earlier: Box): boolean {
  const both = union(later, earlier);
  return Math.max(both.width, both.height) > MIN_GROWTH * Math.max(earlier.width, earlier.height);
}

/** Splits a box, as fractions of it, at the side on which it exceeds `inner` most: the part beyond, and the rest. */
function splitBeyond(box: Box, inner: Box): readonly [beyond: Box, rest: Box] {
  const [left, right] = [inner.x - box.x, box.x + box.width - inner.x - inner.width];
  const [top, bottom] = [inner.y - box.y, box.y + box.height - inner.y - inner.height];
  const most = Math.max(left, right, top, bottom);
  if (most === left || most === right) {
    const width = Math.min(1, most / box.width);
    const [at, rest] = most === left ? [0, width] : [1 - width, 0];
    return [
      { x: at, y: 0, width, height: 1 },
      { x: rest, y: 0, width: 1 - width, height: 1 },
    ];
  }
  const height = Math.min(1, most / box.height);
  const [at, rest] = most === top ? [0, height] : [1 - height, 0];
  return [
    { x: 0, y: at, width: 1, height },
    { x: 0, y: rest, width: 1, height: 1 - height },
  ];
}

/** Converts fractions of a box to pixels. */
function placeIn({ x, y, width, height }: Box, of: Box): Box {
  return { x: x + of.x * width, y: y + of.y * height, width: of.width * width, height: of.height * height };
}
