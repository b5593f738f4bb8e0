import type { Side } from '../parts.ts';
import type { Angle } from '../photo.ts';

/** Outside views in the order of a walk around the vehicle. */
export const WALK_AROUND = [
  'front',
  'front_left',
  'left_side',
  'rear_left',
  'rear',
  'rear_right',
  'right_side',
  'front_right',
] as const satisfies readonly Angle[];

/** Views required for a walk-around without a blind side. */
const REQUIRED_VIEWS = ['front', 'rear', 'left', 'right'] as const;
export type RequiredView = (typeof REQUIRED_VIEWS)[number];

/** Lists the views among front, rear, left and right that no photo shows, neither by its angle nor by visible parts. */
export function listMissingViews(
  angles: readonly (Angle | null)[],
  partSides: readonly Side[] = [],
): readonly RequiredView[] {
  // An angle is named after the views that it shows: `front_left`, `left_side`.
  const covered = new Set<string>([...angles.flatMap((angle) => angle?.split('_') ?? []), ...partSides]);
  return REQUIRED_VIEWS.filter((view) => !covered.has(view));
}

/** Camera azimuth around the vehicle per exterior angle, degrees counter-clockwise seen from above, 0 in front. */
const AZIMUTH_DEGREES: ReadonlyMap<Angle, number> = new Map(
  WALK_AROUND.map((angle, step) => [angle, 45 * step]),
);

/** Returns whether two outside views are less than 90 degrees apart; of other views, whether they are the same. */
export function showsSameArea(angle: Angle, other: Angle): boolean {
  const [azimuth, otherAzimuth] = [AZIMUTH_DEGREES.get(angle), AZIMUTH_DEGREES.get(other)];
  if (azimuth === undefined || otherAzimuth === undefined) return angle === other;
  const difference = Math.abs(azimuth - otherAzimuth);
  return Math.min(difference, 360 - difference) < 90;
}
