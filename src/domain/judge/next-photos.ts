import type { Angle } from '../damage.ts';
import type { PartName } from '../parts.ts';
import type { CoverageReason } from '../sight/part-coverage.ts';
import type { CoveredPart } from './vehicle-coverage.ts';

/** A photo that would close coverage gaps. */
export interface NextPhoto {
  readonly code: 'view' | 'part' | 'place_to_check';
  /** Viewpoint; null for a close-up of a place to check. */
  readonly area: Angle | null;
  readonly parts: readonly PartName[];
  readonly damageId: string | null;
  readonly distanceM: number;
  readonly light: 'any' | 'shade' | 'more_light';
  readonly reason: 'not_seen' | CoverageReason | 'unsure';
}

/** A place to check that needs a close-up. */
interface PlaceToCheck {
  readonly id: string;
  readonly part: PartName;
}

interface View {
  readonly area: Angle;
  readonly distanceM: number;
  readonly shows: readonly PartName[];
}

/**
 * Parts shown from each viewpoint around a car, and the distance at which all of it is in frame (phone lens, 26 mm).
 */
const VIEWS: readonly View[] = [
  ...(['left', 'right'] as const).flatMap((side): View[] => [
    {
      area: `${side}_side`,
      distanceM: 3.5,
      shows: [
        `front_fender_${side}`,
        `front_door_${side}`,
        `rear_door_${side}`,
        `quarter_panel_${side}`,
        side === 'left' ? 'side_window_fl' : 'side_window_fr',
        side === 'left' ? 'side_window_rl' : 'side_window_rr',
      ],
    },
    {
      area: `front_${side}`,
      distanceM: 2,
      shows: ['front_bumper', 'hood', `headlight_${side}`, `front_fender_${side}`],
    },
    {
      area: `rear_${side}`,
      distanceM: 2,
      shows: ['rear_bumper', `taillight_${side}`, `quarter_panel_${side}`],
    },
  ]),
  {
    area: 'front',
    distanceM: 2,
    shows: ['front_bumper', 'hood', 'windshield', 'headlight_left', 'headlight_right'],
  },
  {
    area: 'rear',
    distanceM: 2,
    shows: ['rear_bumper', 'trunk_lid', 'rear_window', 'taillight_left', 'taillight_right'],
  },
  { area: 'top', distanceM: 2, shows: ['roof'] },
];

/** Maximum number of requested photos: an adjuster takes a few more, not twenty. */
const MOST = 8;
/** Minimum number of these reserved for close-ups of places to check, if there are that many. */
const MIN_CLOSE_UPS = 4;
/** Distance at which a hand-sized location fills much of the photo. */
const CLOSE_UP_M = 0.6;
/** Distance at which one part fills the photo. */
const PART_M = 1.5;

/**
 * Lists the photos that would close the gaps: missing views first, then one close-up per part with places to check,
 * then single parts such as the roof. Close-ups yield to gaps, because a part without any photo cannot be judged at
 * all. `bright`: some photos were overexposed or glaring.
 */
export function listNextPhotos(
  parts: readonly CoveredPart[],
  toCheck: readonly PlaceToCheck[],
  bright: boolean,
): readonly NextPhoto[] {
  const gaps = new Map(parts.filter(({ status }) => status !== 'seen').map((one) => [one.part, one]));
  const list: NextPhoto[] = [];
  const glare = bright ? ('shade' as const) : ('any' as const);
  for (let view = findWidest(gaps); view !== undefined; view = findWidest(gaps)) {
    const missing = view.shows.filter((part) => gaps.has(part));
    for (const part of missing) gaps.delete(part);
    const reason = chooseReason(view, missing, parts);
    const single = missing.length === 1;
    list.push({
      code: single ? 'part' : 'view',
      area: view.area,
      parts: missing,
      damageId: null,
      distanceM: single ? Math.min(PART_M, view.distanceM) : view.distanceM,
      light: reason === 'dark' ? 'more_light' : reason === 'bright' ? 'shade' : glare,
      reason,
    });
  }
  const places = toCheck.filter((one, i) => toCheck.findIndex((other) => other.part === one.part) === i);
  const closer = places.map(
    (place): NextPhoto => ({
      code: 'place_to_check',
      area: null,
      parts: [place.part],
      damageId: place.id,
      distanceM: CLOSE_UP_M,
      light: glare,
      reason: 'unsure',
    }),
  );
  const closeUps = closer.slice(0, Math.max(MIN_CLOSE_UPS, MOST - list.length));
  return [...list.filter(isLarge), ...closeUps, ...list.filter((one) => !isLarge(one))].slice(0, MOST);
}

/** Returns whether a whole view is missing rather than part of one. */
function isLarge({ parts }: NextPhoto): boolean {
  return parts.length >= 3;
}

function findWidest(gaps: ReadonlyMap<PartName, unknown>): View | undefined {
  const missingCounts = VIEWS.map((view) => ({
    view,
    missing: view.shows.filter((part) => gaps.has(part)).length,
  }));
  const best = missingCounts.reduce((a, b) => (b.missing > a.missing ? b : a));
  return best.missing > 0 ? best.view : undefined;
}

/**
 * Returns the reason for requesting a view. It is "not shown" only if that is true of the whole view, so a user who
 * photographed a corner of it can trust the request.
 */
function chooseReason(
  view: View,
  missing: readonly PartName[],
  parts: readonly CoveredPart[],
): NextPhoto['reason'] {
  const bestOf = new Map(parts.map(({ part, best }) => [part, best]));
  const reasons = missing.map((part) => bestOf.get(part)?.reason ?? 'not_seen');
  const shown = reasons.filter((reason) => reason !== 'not_seen');
  if (missing.length === 1 || view.shows.every((part) => !bestOf.get(part))) return findMostFrequent(reasons);
  return shown.length > 0 ? findMostFrequent(shown) : 'mostly_hidden';
}

function findMostFrequent<T>(values: readonly T[]): T {
  const count = (value: T) => values.filter((one) => one === value).length;
  return values.reduce((best, one) => (count(one) > count(best) ? one : best));
}
