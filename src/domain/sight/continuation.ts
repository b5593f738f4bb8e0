import { type Box, computeShareOfSmaller } from '../geometry.ts';
import type { PartName } from '../parts.ts';
import type { Cluster, Observation } from './merge.ts';

/** Panels that meet at a gap over which a scratch can go on; `?` stands for left or right. */
const MEET: readonly (readonly [string, string])[] = [
  ['front_bumper', 'front_fender_?'],
  ['front_bumper', 'hood'],
  ['hood', 'front_fender_?'],
  ['front_fender_?', 'front_door_?'],
  ['front_door_?', 'rear_door_?'],
  ['rear_door_?', 'quarter_panel_?'],
  ['quarter_panel_?', 'rear_bumper'],
  ['quarter_panel_?', 'trunk_lid'],
  ['trunk_lid', 'rear_bumper'],
];

const NEIGHBOURS: ReadonlySet<string> = new Set(
  MEET.flatMap(([one, other]) =>
    ['left', 'right'].flatMap((side) => {
      const [a, b] = [one.replace('?', side), other.replace('?', side)];
      return [`${a} ${b}`, `${b} ${a}`];
    }),
  ),
);

/**
 * Returns the panels over which each scratch goes on: where one photo shows both, on panels that meet, as one line.
 * Each panel keeps its own entry, because each is painted by itself. In the order of `clusters`, parts in the order of
 * the finds.
 */
export function findContinuations(clusters: readonly Cluster[]): readonly (readonly PartName[])[] {
  return clusters.map((cluster) => [
    ...new Set(
      clusters.flatMap((other) =>
        other !== cluster && cluster.some((one) => other.some((two) => continuesIn(one, two)))
          ? [other[0].part]
          : [],
      ),
    ),
  ]);
}

/** Returns whether two finds of one photo are one scratch that goes over the gap between two panels; symmetric. */
function continuesIn(a: Observation, b: Observation): boolean {
  if (a.photo !== b.photo || a.type !== 'scratch' || b.type !== 'scratch') return false;
  if (a.subtype !== undefined || b.subtype !== undefined) return false;
  if (!NEIGHBOURS.has(`${a.part} ${b.part}`)) return false;
  return computeShareOfSmaller(a.box, b.box) > SAME_PLACE || isOneLine(a.box, b.box);
}

/** So much of the smaller box in the larger makes both one place. */
const SAME_PLACE = 0.6;

/** Length over width from which a box has a direction. Assumed, as the two that follow. */
const LINE = 1.5;
/** Maximum gap across which a line goes on, as a share of the shorter of its two pieces. */
const LARGEST_GAP = 0.25;
/** Minimum share of the narrower box that lies level with the other. */
const LEVEL = 0.5;

/** Where a box begins and ends in one direction, pixels. */
type Span = readonly [from: number, to: number];

/** Returns whether two boxes, both long in one direction, follow each other in it; pixels of one photo. */
function isOneLine(a: Box, b: Box): boolean {
  return (
    followEachOther(takeHorizontalSpan(a), takeHorizontalSpan(b), takeVerticalSpan(a), takeVerticalSpan(b)) ||
    followEachOther(takeVerticalSpan(a), takeVerticalSpan(b), takeHorizontalSpan(a), takeHorizontalSpan(b))
  );
}

/**
 * Returns whether two pieces, long in the direction of `a` and `b`, continue each other at the same height, `aside` and
 * `bside`.
 */
function followEachOther(a: Span, b: Span, aside: Span, bside: Span): boolean {
  if (measureLength(a) < LINE * measureLength(aside) || measureLength(b) < LINE * measureLength(bside))
    return false;
  const shorter = Math.min(measureLength(a), measureLength(b));
  const overlap = measureOverlap(a, b);
  // What lies next to each other over most of its length is two scratches in parallel.
  if (overlap < -LARGEST_GAP * shorter || overlap > shorter / 2) return false;
  return measureOverlap(aside, bside) >= LEVEL * Math.min(measureLength(aside), measureLength(bside));
}

function takeHorizontalSpan({ x, width }: Box): Span {
  return [x, x + width];
}

function takeVerticalSpan({ y, height }: Box): Span {
  return [y, y + height];
}

function measureLength([from, to]: Span): number {
  return to - from;
}

/** Returns how much two spans share; negative: the gap between them. */
function measureOverlap(a: Span, b: Span): number {
  return Math.min(a[1], b[1]) - Math.max(a[0], b[0]);
}
