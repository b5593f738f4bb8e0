import { area, type Box, intersection, union } from '../../domain/geometry.ts';
import { LISTED_CONFIDENCE } from '../../domain/judge/decide-place.ts';
import { toBox } from './photo-record.ts';
import type { PhotoBox, PlaceMatch } from './place-match.ts';

/** Minimum length of both boxes' union relative to the earlier box for growth. */
const MIN_LENGTH_RATIO = 1.3;
/** Share of the added area that an earlier candidate covers if the damage was already there. */
const MIN_COVERED_SHARE = 0.5;

/**
 * Restricts each match of the later damage to the area by which it exceeds the earlier one, so that comparing images
 * judges only that area. Omits matches in which the damage is hardly longer, or an earlier candidate, listed or not,
 * covers the added area.
 */
export function listAddedAreas(
  matches: readonly PlaceMatch[],
  earlierPlaces: readonly PhotoBox[],
): readonly PlaceMatch[] {
  return matches.flatMap((match) => {
    const { source, target } = match;
    const earlier = earlierPlaces.find(({ photo }) => photo.sha256 === target.photo.sha256)?.box;
    if (earlier === undefined || !isLonger(target.box, earlier)) return [];
    const [added, remaining] = splitBeyond(target.box, earlier);
    const addedBefore = placeIn(target.box, added);
    const covering = (target.photo.record?.candidates ?? []).filter(
      ({ box }) => intersection(toBox(box), addedBefore) > MIN_COVERED_SHARE * area(addedBefore),
    );
    const candidate = Math.max(0, ...covering.map(({ confidence }) => confidence));
    if (candidate >= LISTED_CONFIDENCE) return [];
    return [
      {
        ...match,
        source: { ...source, box: placeIn(source.box, added) },
        target: { ...target, box: addedBefore },
        candidate,
        otherBoxes: [...match.otherBoxes, placeIn(source.box, remaining)],
      },
    ];
  });
}

function isLonger(later: Box, earlier: Box): boolean {
  const both = union(later, earlier);
  return Math.max(both.width, both.height) > MIN_LENGTH_RATIO * Math.max(earlier.width, earlier.height);
}

/** Splits a box, as fractions of it, at the side on which it exceeds `inner` most: the part beyond, and the remainder. */
function splitBeyond(box: Box, inner: Box): readonly [beyond: Box, remaining: Box] {
  const [left, right] = [inner.x - box.x, box.x + box.width - inner.x - inner.width];
  const [top, bottom] = [inner.y - box.y, box.y + box.height - inner.y - inner.height];
  const largest = Math.max(left, right, top, bottom);
  if (largest === left || largest === right) {
    const width = Math.min(1, largest / box.width);
    const [beyondX, remainingX] = largest === left ? [0, width] : [1 - width, 0];
    return [
      { x: beyondX, y: 0, width, height: 1 },
      { x: remainingX, y: 0, width: 1 - width, height: 1 },
    ];
  }
  const height = Math.min(1, largest / box.height);
  const [beyondY, remainingY] = largest === top ? [0, height] : [1 - height, 0];
  return [
    { x: 0, y: beyondY, width: 1, height },
    { x: 0, y: remainingY, width: 1, height: 1 - height },
  ];
}

/** Converts fractions of a box to pixels. */
function placeIn({ x, y, width, height }: Box, part: Box): Box {
  return {
    x: x + part.x * width,
    y: y + part.y * height,
    width: part.width * width,
    height: part.height * height,
  };
}
