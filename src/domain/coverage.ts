import type { Angle, PhotoType } from './damage.ts';

/** Views without which a walk-around has a blind side. */
export const REQUIRED_VIEWS = ['front', 'rear', 'left', 'right'] as const;
export type RequiredView = (typeof REQUIRED_VIEWS)[number];

const COVERS: Readonly<Record<Angle, readonly RequiredView[]>> = {
  front: ['front'],
  rear: ['rear'],
  left_side: ['left'],
  right_side: ['right'],
  front_left: ['front', 'left'],
  front_right: ['front', 'right'],
  rear_left: ['rear', 'left'],
  rear_right: ['rear', 'right'],
  top: [],
  interior: [],
  dashboard: [],
  engine: [],
  trunk: [],
  undercarriage: [],
};

/** What of front, rear, left and right no photo shows. */
export function missingViews(angles: readonly (Angle | null)[]): readonly RequiredView[] {
  const covered = new Set(angles.flatMap((angle) => (angle ? COVERS[angle] : [])));
  return REQUIRED_VIEWS.filter((view) => !covered.has(view));
}

const TYPE_OF_ANGLE: Partial<Record<Angle, PhotoType>> = {
  interior: 'interior',
  dashboard: 'interior',
  trunk: 'interior',
  engine: 'mechanical',
  undercarriage: 'mechanical',
};

/** The photo type that goes with an angle; the outside where the angle does not say otherwise. */
export function photoTypeOf(angle: Angle | null): PhotoType {
  return (angle && TYPE_OF_ANGLE[angle]) ?? 'exterior';
}
