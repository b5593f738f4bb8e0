import { roundTo } from '../../lib/round.ts';
import { OUTSIDE_PARTS, type PartName } from '../parts.ts';
import type { RequiredView } from '../sight/coverage.ts';
import { COVERAGE_STATUS, type CoverageStatus, type PartView } from '../sight/part-coverage.ts';

/** What all photos together show of one part. */
export interface CoveredPart {
  readonly part: PartName;
  readonly status: CoverageStatus;
  /** The photo that shows it best; null where none shows any of it. */
  readonly best: PartView | null;
}

export interface VehicleCoverage {
  readonly parts: readonly CoveredPart[];
  readonly sides: readonly { readonly side: RequiredView; readonly status: CoverageStatus }[];
  /** Parts seen well enough, shown too small, and shown by no photo; together `of`. */
  readonly seen: number;
  readonly tooSmall: number;
  readonly notSeen: number;
  readonly of: number;
  /** Share of the parts seen well enough, 0 to 1, two decimals. */
  readonly share: number;
}

/** Parts of the outside that the parts model knows; fog lights are left out, as many vehicles have none. */
const COVERED = OUTSIDE_PARTS.filter((part) => !part.startsWith('fog_light'));

/** A side is seen where all of these are; of those in one row any will do. */
const SIDE_PARTS: Readonly<Record<RequiredView, readonly (readonly PartName[])[]>> = {
  front: [['front_bumper'], ['hood', 'windshield'], ['headlight_left', 'headlight_right']],
  rear: [['rear_bumper'], ['trunk_lid', 'rear_window'], ['taillight_left', 'taillight_right']],
  left: [['front_fender_left'], ['front_door_left'], ['rear_door_left'], ['quarter_panel_left']],
  right: [['front_fender_right'], ['front_door_right'], ['rear_door_right'], ['quarter_panel_right']],
};

/**
 * Returns what the photos of a vehicle show of it, part by part and side by side: the best view of each counts, so a
 * photo more never lowers it.
 */
export function coverVehicle(views: readonly PartView[]): VehicleCoverage {
  const best = new Map<PartName, PartView>();
  for (const view of views) {
    const before = best.get(view.part);
    if (before === undefined || isBetter(view, before)) best.set(view.part, view);
  }
  const parts = COVERED.map((part) => {
    const view = best.get(part) ?? null;
    return { part, status: view?.status ?? ('not_seen' as const), best: view };
  });
  const statusOf = new Map(parts.map(({ part, status }) => [part, status]));
  const sides = (Object.keys(SIDE_PARTS) as RequiredView[]).map((side) => ({
    side,
    status: readStatus(
      Math.min(
        ...SIDE_PARTS[side].map((any) =>
          Math.max(...any.map((part) => rankStatus(statusOf.get(part) ?? 'not_seen'))),
        ),
      ),
    ),
  }));
  const count = (wanted: CoverageStatus) => parts.filter(({ status }) => status === wanted).length;
  const seen = count('seen');
  return {
    parts,
    sides,
    seen,
    tooSmall: count('too_small'),
    notSeen: count('not_seen'),
    of: parts.length,
    share: roundTo(seen / parts.length, 2),
  };
}

function rankStatus(status: CoverageStatus): number {
  return COVERAGE_STATUS.indexOf(status);
}

function readStatus(index: number): CoverageStatus {
  return COVERAGE_STATUS[index] ?? 'not_seen';
}

function isBetter(one: PartView, other: PartView): boolean {
  if (one.status !== other.status) return rankStatus(one.status) > rankStatus(other.status);
  return one.cmPerPixel < other.cmPerPixel;
}
