import { type Box, computeShareOfSmaller } from '../geometry.ts';
import type { PartName } from '../parts.ts';
import type { Cluster, Observation } from './merge.ts';

/** Adjacent panels across whose gap a scratch can continue; `?` stands for left or right. */
const ADJACENT_PANELS: readonly (readonly [string, string])[] = [
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

const ADJACENT_PAIRS: ReadonlySet<string> = new Set(
  ADJACENT_PANELS.flatMap(([one, other]) =>
    ['left', 'right'].flatMap((side) => {
      const [a, b] = [one.replace('?', side), other.replace('?', side)];
      return [`${a} ${b}`, `${b} ${a}`];
    }),
  ),
);

/**
 * Returns the further panels of each scratch: adjacent panels in one photo with the scratch in one line. Each panel
 * keeps its own finding, because each is painted separately. In the order of `clusters`, with parts in the order of the
 * findings.
 */
export function findContinuations(clusters: readonly Cluster[]): readonly (readonly PartName[])[] {
  return clusters.map((cluster) => [
    ...new Set(
      clusters.flatMap((other) =>
        other !== cluster && cluster.some((one) => other.some((two) => isContinuation(one, two)))
          ? [other[0].part]
          : [],
      ),
    ),
  ]);
}

/** Returns whether two findings of one photo are one scratch across a panel gap; symmetric. */
function isContinuation(a: Observation, b: Observation): boolean {
  if (a.photo !== b.photo || a.type !== 'scratch' || b.type !== 'scratch') return false;
  if (a.subtype !== undefined || b.subtype !== undefined) return false;
  if (!ADJACENT_PAIRS.has(`${a.part} ${b.part}`)) return false;
  return computeShareOfSmaller(a.box, b.box) > MIN_SAME_PLACE_SHARE || areCollinear(a.box, b.box);
}

/** Share of the smaller box inside the larger from which both are the same location. */
const MIN_SAME_PLACE_SHARE = 0.6;

/** Minimum aspect ratio of a box with a direction. Assumed, like the next two. */
const MIN_ASPECT = 1.5;
/** Maximum gap within a line, as a share of the shorter piece. */
const MAX_GAP_SHARE = 0.25;
/** Minimum share of the narrower box level with the other. */
const MIN_LEVEL_SHARE = 0.5;

/** Extent of a box along one axis, pixels. */
type Span = readonly [from: number, to: number];

/** Returns whether two boxes elongated along the same axis are collinear; pixels of one photo. */
function areCollinear(a: Box, b: Box): boolean {
  return (
    areAligned(toHorizontalSpan(a), toHorizontalSpan(b), toVerticalSpan(a), toVerticalSpan(b)) ||
    areAligned(toVerticalSpan(a), toVerticalSpan(b), toHorizontalSpan(a), toHorizontalSpan(b))
  );
}

/** Returns whether two pieces along `a` and `b`, level at `crossA` and `crossB`, continue each other. */
function areAligned(a: Span, b: Span, crossA: Span, crossB: Span): boolean {
  if (lengthOf(a) < MIN_ASPECT * lengthOf(crossA) || lengthOf(b) < MIN_ASPECT * lengthOf(crossB))
    return false;
  const shorter = Math.min(lengthOf(a), lengthOf(b));
  const overlap = measureOverlap(a, b);
  // Pieces side by side over most of their length are two parallel scratches.
  if (overlap < -MAX_GAP_SHARE * shorter || overlap > shorter / 2) return false;
  return measureOverlap(crossA, crossB) >= MIN_LEVEL_SHARE * Math.min(lengthOf(crossA), lengthOf(crossB));
}

function toHorizontalSpan({ x, width }: Box): Span {
  return [x, x + width];
}

function toVerticalSpan({ y, height }: Box): Span {
  return [y, y + height];
}

function lengthOf([from, to]: Span): number {
  return to - from;
}

/** Returns the overlap of two spans; negative: the gap between them. */
function measureOverlap(a: Span, b: Span): number {
  return Math.min(a[1], b[1]) - Math.max(a[0], b[0]);
}
