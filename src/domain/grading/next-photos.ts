import { groupBy } from '../../lib/lists.ts';
import type { PartName } from '../parts.ts';
import type { Angle } from '../photo.ts';
import type { CoverageReason } from '../sight/part-coverage.ts';
import type { CoveredPart } from './vehicle-coverage.ts';
import file from './viewpoints.json' with { type: 'json' };

/** Angle from which a photo shows the outside of a vehicle. */
export type OutsideAngle = Exclude<Angle, 'interior' | 'dashboard' | 'engine' | 'trunk' | 'undercarriage'>;

/** A photo that would close coverage gaps. */
export interface NextPhoto {
  readonly code: 'view' | 'part' | 'place_to_check';
  /** Viewpoint; null for a close-up of a place to check. */
  readonly area: OutsideAngle | null;
  readonly parts: readonly PartName[];
  readonly damageId: string | null;
  readonly distanceM: number;
  readonly light: 'any' | 'shade' | 'more_light';
  readonly reason: 'not_seen' | CoverageReason | 'unsure';
}

interface PlaceToCheck {
  readonly id: string;
  readonly part: PartName;
}

/** A viewpoint around a car, with the parts that it shows and the distance at which they all fit the frame. */
interface Viewpoint {
  readonly area: OutsideAngle;
  readonly distance_m: number;
  readonly parts: readonly PartName[];
}

const VIEWPOINTS = file.viewpoints as readonly Viewpoint[];

/** Maximum number of requested photos; more would tire the person taking them. The views need at most seven. */
const MAX_PHOTOS = 8;
/** Distance at which a hand-sized location fills much of the photo. */
const CLOSE_UP_DISTANCE_M = 0.6;
/** Distance at which one part fills the photo. */
const PART_DISTANCE_M = 1.5;

type ChooseLight = (parts: readonly PartName[]) => NextPhoto['light'];

/**
 * Lists the photos that would close the gaps: views of three or more parts, then one close-up per part with places to
 * check, then views of one or two parts, such as the roof. Every view is listed, because a part without any photo cannot
 * be judged; close-ups take the places left.
 * @param glaringParts parts that were overexposed or glaring; only their photos are requested in the shade
 */
export function listNextPhotos(
  parts: readonly CoveredPart[],
  toCheck: readonly PlaceToCheck[],
  glaringParts: ReadonlySet<PartName>,
): readonly NextPhoto[] {
  const chooseLight: ChooseLight = (shown) =>
    shown.some((part) => glaringParts.has(part)) ? 'shade' : 'any';
  const views = listViews(parts, chooseLight);
  const closeUps = listCloseUps(toCheck, chooseLight).slice(0, MAX_PHOTOS - views.length);
  return [...views.filter(isWide), ...closeUps, ...views.filter((one) => !isWide(one))];
}

/** Lists views of the parts not seen well enough, each time the one that shows most of them. */
function listViews(parts: readonly CoveredPart[], chooseLight: ChooseLight): readonly NextPhoto[] {
  const gaps = new Set(parts.filter(({ status }) => status !== 'seen').map(({ part }) => part));
  const photos: NextPhoto[] = [];
  for (let view = findBestViewpoint(gaps); view !== undefined; view = findBestViewpoint(gaps)) {
    const missing = view.parts.filter((part) => gaps.has(part));
    for (const part of missing) gaps.delete(part);
    const reason = chooseReason(view, missing, parts);
    const isSinglePart = missing.length === 1;
    photos.push({
      code: isSinglePart ? 'part' : 'view',
      area: view.area,
      parts: missing,
      damageId: null,
      distanceM: isSinglePart ? Math.min(PART_DISTANCE_M, view.distance_m) : view.distance_m,
      light: reason === 'dark' ? 'more_light' : reason === 'bright' ? 'shade' : chooseLight(missing),
      reason,
    });
  }
  return photos;
}

/** Lists a close-up per part with places to check, of its first place. */
function listCloseUps(places: readonly PlaceToCheck[], chooseLight: ChooseLight): readonly NextPhoto[] {
  return [...groupBy(places, ({ part }) => part)].map(([part, [first]]) => ({
    code: 'place_to_check',
    area: null,
    parts: [part],
    damageId: first.id,
    distanceM: CLOSE_UP_DISTANCE_M,
    light: chooseLight([part]),
    reason: 'unsure',
  }));
}

const isWide = ({ parts }: NextPhoto): boolean => parts.length >= 3;

function findBestViewpoint(gaps: ReadonlySet<PartName>): Viewpoint | undefined {
  const countMissing = ({ parts }: Viewpoint) => parts.filter((part) => gaps.has(part)).length;
  const best = VIEWPOINTS.reduce((a, b) => (countMissing(b) > countMissing(a) ? b : a));
  return countMissing(best) > 0 ? best : undefined;
}

/**
 * Returns the reason for requesting a view. It is "not shown" only if no photo shows any of it, so a user who
 * photographed a corner of it can trust the request.
 */
function chooseReason(
  view: Viewpoint,
  missing: readonly PartName[],
  parts: readonly CoveredPart[],
): NextPhoto['reason'] {
  const viewOf = new Map(parts.map(({ part, bestView }) => [part, bestView]));
  const reasons = missing.map((part) => viewOf.get(part)?.reason ?? 'not_seen');
  const shownReasons = reasons.filter((reason) => reason !== 'not_seen');
  if (missing.length === 1 || view.parts.every((part) => !viewOf.get(part))) return findMostFrequent(reasons);
  return shownReasons.length > 0 ? findMostFrequent(shownReasons) : 'mostly_hidden';
}

function findMostFrequent<T>(values: readonly T[]): T {
  const count = (value: T) => values.filter((one) => one === value).length;
  return values.reduce((best, one) => (count(one) > count(best) ? one : best));
}
