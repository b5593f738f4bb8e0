import { computeConditionScore } from './condition.ts';

/** Outcomes of comparing one location, changes first. */
export const CHANGES = [
  'new',
  'worse',
  'repaired',
  'perhaps_new',
  'perhaps_repaired',
  'cannot_tell',
  'not_seen',
  'probably_unchanged',
  'unchanged',
] as const;
export type Change = (typeof CHANGES)[number];

/** Minimum confidence of a candidate that counts as the same damage, even if it is below the listing threshold. */
const SAME_DAMAGE_CONFIDENCE = 0.251;
/** Minimum confidence of a candidate that any sensitivity lists. */
export const LISTED_CONFIDENCE = 0.076;

/**
 * Comparison of one location's crops from both photos. `drop`, `damageScore` and `colourChange` are
 * null if the other photo has a candidate there or could not be read.
 */
export interface CropComparison {
  /** Likeness of both crops: overall, at the least similar spot, and around the location; 1 for identical images. */
  readonly overall: number;
  readonly worstSpot: number;
  readonly surroundings: number;
  /** Drop of the classifier's damage score from the finding's to the other visit's crop, log odds. */
  readonly drop: number | null;
  /** Classifier's damage probability of the other visit's crop, 0 to 1. */
  readonly damageScore: number | null;
  /** Share of the location whose colours differ clearly more than the surroundings'. */
  readonly colourChange: number | null;
}

/** A finding's location as shown in one photo of the other visit. */
export interface PlaceView extends CropComparison {
  /** Inliers of the match. */
  readonly inliers: number;
  /** True if the matches came from the guided search near the position predicted by the whole view. */
  readonly isGuided: boolean;
  /** Highest calibrated confidence of a candidate there; 0 if there is none. */
  readonly candidate: number;
  /** Scale of the location in the other photo relative to the finding's photo. */
  readonly scale: number;
  /** Share of the location inside the other photo. */
  readonly insideShare: number;
  /** True if the finding touches the border of its photo, so its box is truncated. */
  readonly isAtBorder: boolean;
  /** True if either photo is blurred, dark or glaring. */
  readonly isFlawed: boolean;
}

/** Evidence on a finding without a listed counterpart in the other visit. */
export interface PlaceEvidence {
  /** True if the other visit contains the identical photo. */
  readonly hasSamePhoto: boolean;
  /** Photos of the other visit in which the location was matched, most inliers first. */
  readonly views: readonly PlaceView[];
  /** True if the other visit has a photo of the part, matched or not. */
  readonly isPartSeen: boolean;
  /** True if no photo of the finding's own visit that shows it could be read. */
  readonly isOwnPhotoUnreadable: boolean;
  /**
   * Highest confidence of a candidate of a related type near the position predicted by the whole view; 0 if there is
   * none.
   */
  readonly nearbyByView: number;
  /** The same near the position predicted by the parts, which is less accurate. */
  readonly nearbyByParts: number;
}

/** A row of the decision table; the first matching row decides. */
interface Rule {
  readonly id: string;
  /** Returns the view that decides, or true if the rule needs none. */
  readonly applies: (evidence: PlaceEvidence) => PlaceView | boolean | undefined;
  readonly verdict: 'same' | 'probably_same' | 'absent' | 'cannot_tell' | 'not_seen';
}

/**
 * Returns whether the location looks unchanged; thresholds measured on re-shot photos with and without planted damage.
 */
function isSamePicture({ overall, worstSpot, candidate, drop, colourChange }: PlaceView): boolean {
  // A scratch as light as the paint changes only the colours.
  if (colourChange !== null && colourChange >= MIN_COLOUR_CHANGE && drop !== null && drop >= 1) return false;
  const isSuspect = candidate < LISTED_CONFIDENCE && drop !== null && drop >= 2;
  return overall >= 0.85 && worstSpot >= (isSuspect ? 0.6 : 0.35);
}

/** Minimum share of differing colours that counts as a change; at most 0.04 was measured on unchanged locations. */
const MIN_COLOUR_CHANGE = 0.1;

type ViewWithoutColours = Omit<PlaceView, 'colourChange'>;

/**
 * Returns whether the structure changed and the other crop shows no damage. The classifier scored nine of ten damages
 * that were present at 0.43 or more, and crops without the planted damage at 0.29 or less.
 */
function showsNoDamage({ overall, worstSpot, damageScore, candidate }: ViewWithoutColours): boolean {
  if (damageScore === null || candidate >= LISTED_CONFIDENCE) return false;
  return overall < 0.9 && worstSpot < 0.3 && damageScore < 0.35;
}

/** Returns whether the other crop shows no damage and only the location's colours differ, not the surroundings'. */
export function isLocalChange({ colourChange, ...view }: PlaceView): boolean {
  return colourChange !== null && colourChange >= MIN_COLOUR_CHANGE && showsNoDamage(view);
}

/** Returns whether comparing colours can change the verdict on a view. */
export function needsColourComparison(view: ViewWithoutColours): boolean {
  return showsNoDamage(view) || (view.drop !== null && view.drop >= 1);
}

const SAME_PLACE_LIKENESS = 0.5;
/** Likeness of the surroundings below which the light differs or the surface has hardly any structure. */
const SAME_LIGHT_LIKENESS = 0.9;
/** Minimum gap in likeness between the location and its surroundings under different light, which changes both. */
const MIN_LIKENESS_GAP = 0.1;

/**
 * Returns whether the location is visible well enough to prove absence; few inliers suffice if the surroundings match.
 */
function isClearlyVisible(view: PlaceView): boolean {
  const { scale, insideShare, isAtBorder, isFlawed, inliers, surroundings } = view;
  const isLocated =
    surroundings >= (inliers >= 12 ? SAME_PLACE_LIKENESS : SAME_LIGHT_LIKENESS) || isLocalChange(view);
  return scale >= 0.5 && insideShare >= 0.95 && !isAtBorder && !isFlawed && isLocated;
}

/**
 * Returns whether the damage is absent: it stands out, or the image differs and the classifier agrees. The larger the
 * classifier's drop, the less the image must differ.
 */
function isAbsent(view: PlaceView): boolean {
  const { overall, worstSpot, surroundings, drop } = view;
  const isOtherLight = surroundings >= SAME_PLACE_LIKENESS && surroundings < SAME_LIGHT_LIKENESS;
  if (isOtherLight && overall > surroundings - MIN_LIKENESS_GAP) return false;
  if (isLocalChange(view)) return true;
  if (drop === null || drop < 0.8) return false;
  return (worstSpot < 0.3 && overall < 0.9) || (worstSpot < 0.6 && overall < 0.97 && drop >= 2);
}

/** Minimum inliers, relative to the best view, of a view that can contradict it. */
const RIVAL_INLIERS = 0.3;

/**
 * Returns the best well-visible view if it shows absence, no view shows a candidate, and no other view contradicts it.
 */
function findAbsence(views: readonly PlaceView[]): PlaceView | undefined {
  const [best, ...rest] = views.filter(isClearlyVisible);
  if (best === undefined || views.some(({ candidate }) => candidate >= LISTED_CONFIDENCE)) return undefined;
  const agrees = (view: PlaceView) => view.inliers < RIVAL_INLIERS * best.inliers || isAbsent(view);
  return isAbsent(best) && rest.every(agrees) ? best : undefined;
}

/**
 * Decision table, evaluated in order. Thresholds measured on six re-shot copies of 54 photos and on rendered damage
 * (test/bench/compare.ts).
 */
const PLACE_RULES = [
  { id: 'same_photo', verdict: 'same', applies: ({ hasSamePhoto }) => hasSamePhoto },
  {
    id: 'was_there',
    verdict: 'same',
    applies: ({ views }) => views.find(({ candidate }) => candidate >= SAME_DAMAGE_CONFIDENCE),
  },
  { id: 'same_picture', verdict: 'same', applies: ({ views }) => views.find(isSamePicture) },
  { id: 'not_there', verdict: 'absent', applies: ({ views }) => findAbsence(views) },
  {
    id: 'probably_there',
    verdict: 'probably_same',
    applies: ({ views, nearbyByView, nearbyByParts }) =>
      views.every(({ isGuided }) => isGuided) &&
      (nearbyByView >= LISTED_CONFIDENCE || nearbyByParts >= SAME_DAMAGE_CONFIDENCE),
  },
  { id: 'unclear', verdict: 'cannot_tell', applies: ({ views }) => views.length > 0 },
  { id: 'part_not_seen', verdict: 'not_seen', applies: ({ isPartSeen }) => !isPartSeen },
  {
    id: 'own_photo_unreadable',
    verdict: 'cannot_tell',
    applies: ({ isOwnPhotoUnreadable }) => isOwnPhotoUnreadable,
  },
  { id: 'no_same_view', verdict: 'cannot_tell', applies: () => true },
] as const satisfies readonly Rule[];

/** Returns whether a location needs image comparison: neither an identical photo nor a listed candidate decides it. */
export function needsImageComparison({
  hasSamePhoto,
  views,
}: Pick<PlaceEvidence, 'hasSamePhoto'> & {
  readonly views: readonly Pick<PlaceView, 'candidate'>[];
}): boolean {
  return !hasSamePhoto && !views.some(({ candidate }) => candidate >= SAME_DAMAGE_CONFIDENCE);
}

/** Rule that decided a location; `both_list_it` if both visits list a finding there. */
export type PlaceRule = (typeof PLACE_RULES)[number]['id'] | 'both_list_it' | 'grown';

/** Decision on a location; `view` is the index of the view that decided, null if the rule needs none. */
interface Decision extends Pick<Rule, 'verdict'> {
  readonly id: PlaceRule;
  readonly view: number | null;
}

/** Decides on a finding without a listed counterpart in the other visit. */
export function decidePlace(evidence: PlaceEvidence): Decision {
  for (const { id, verdict, applies } of PLACE_RULES) {
    const matched: PlaceView | boolean | undefined = applies(evidence);
    if (matched) return { id, verdict, view: matched === true ? null : evidence.views.indexOf(matched) };
  }
  throw new Error('no rule of the comparison fits');
}

/**
 * Converts the verdict on one visit's finding to a change of the vehicle; for a place to check, only to a possible one.
 */
export function toChange(verdict: Rule['verdict'], visit: 'before' | 'after', isCertain: boolean): Change {
  if (verdict === 'same') return 'unchanged';
  if (verdict === 'probably_same') return 'probably_unchanged';
  if (verdict !== 'absent') return verdict;
  const change = visit === 'after' ? 'new' : 'repaired';
  return isCertain ? change : `perhaps_${change}`;
}

/** Grade points of a location in each visit: severity score, times confidence for places to check. */
export interface PlacePoints {
  readonly change: Change;
  readonly before: number | null;
  readonly after: number | null;
}

/**
 * Grades the later visit on the locations of the earlier one: new or worse damage counts, repaired damage does not, and
 * everything else counts as before, so an unchanged vehicle keeps its exact grade.
 */
export function gradeSamePlaces(places: readonly PlacePoints[]): number {
  const points = places.map(({ change, before, after }) => {
    if (change === 'repaired') return null;
    if (change === 'new') return after;
    return change === 'worse' ? Math.max(before ?? 0, after ?? 0) : before;
  });
  return computeConditionScore(points.filter((one) => one !== null));
}

/** Differences or overlaps between two inspections that affect how to read the comparison. */
const DIFFERENCES = ['same_photos', 'other_models', 'other_settings', 'no_record', 'no_photos'] as const;
export type Difference = (typeof DIFFERENCES)[number];
