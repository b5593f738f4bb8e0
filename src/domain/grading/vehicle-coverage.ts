import { roundTo } from '../../lib/numbers.ts';
import { OUTSIDE_PARTS, type PartName } from '../parts.ts';
import { COVERAGE_STATUS, type CoverageStatus, type PartView } from '../sight/part-coverage.ts';
import type { RequiredView } from '../sight/walk-around.ts';
import file from './viewpoints.json' with { type: 'json' };

/** Coverage of one part over all photos. */
export interface CoveredPart {
  readonly part: PartName;
  readonly status: CoverageStatus;
  /** Best view of the part; null if no photo shows it. */
  readonly bestView: PartView | null;
}

export interface VehicleCoverage {
  readonly parts: readonly CoveredPart[];
  readonly sides: readonly { readonly side: RequiredView; readonly status: CoverageStatus }[];
  /** Number of parts seen well enough, shown too small, and not shown; together `totalCount`. */
  readonly seenCount: number;
  readonly tooSmallCount: number;
  readonly notSeenCount: number;
  readonly totalCount: number;
  /** Share of the parts seen well enough, 0 to 1, two decimals. */
  readonly share: number;
}

/** Outside parts known to the parts model; fog lights are excluded, because many vehicles have none. */
const COVERED_PARTS = OUTSIDE_PARTS.filter((part) => !part.startsWith('fog_light'));

/** A side counts as seen if one part of every row is seen. */
const SIDE_PARTS = file.sides as Readonly<Record<RequiredView, readonly (readonly PartName[])[]>>;

/** Computes the coverage of a vehicle by part and side, from the best view of each, so no photo lowers it. */
export function computeCoverage(views: readonly PartView[]): VehicleCoverage {
  const bestViews = new Map<PartName, PartView>();
  for (const view of views) {
    const previous = bestViews.get(view.part);
    if (previous === undefined || isBetter(view, previous)) bestViews.set(view.part, view);
  }
  const parts = COVERED_PARTS.map((part) => {
    const view = bestViews.get(part) ?? null;
    return { part, status: view?.status ?? ('not_seen' as const), bestView: view };
  });
  const rankOf = new Map(parts.map(({ part, status }) => [part, rankStatus(status)]));
  const sides = (Object.keys(SIDE_PARTS) as RequiredView[]).map((side) => {
    const worst = COVERAGE_STATUS.length - 1;
    const rows = SIDE_PARTS[side].map((row) => Math.min(...row.map((part) => rankOf.get(part) ?? worst)));
    return { side, status: COVERAGE_STATUS[Math.max(...rows)] ?? 'not_seen' };
  });
  const count = (wanted: CoverageStatus) => parts.filter(({ status }) => status === wanted).length;
  const seenCount = count('seen');
  return {
    parts,
    sides,
    seenCount,
    tooSmallCount: count('too_small'),
    notSeenCount: count('not_seen'),
    totalCount: parts.length,
    share: roundTo(seenCount / parts.length, 2),
  };
}

const rankStatus = (status: CoverageStatus): number => COVERAGE_STATUS.indexOf(status);

function isBetter(one: PartView, other: PartView): boolean {
  if (one.status !== other.status) return rankStatus(one.status) < rankStatus(other.status);
  return one.cmPerPixel < other.cmPerPixel;
}
