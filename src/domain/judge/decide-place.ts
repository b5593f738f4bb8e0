import type { Contrasts } from '../sight/place/contrast.ts';

/** Minimum confidence of a candidate that counts as the same damage, even if it is below the listing threshold. */
const SAME_DAMAGE_CONFIDENCE = 0.251;
/** Minimum confidence of a candidate that any sensitivity lists. */
export const LISTED_CONFIDENCE = 0.076;

/**
 * Comparison of one location's crops from both photos. The scores, `drop` and `colourChange` are null if the other
 * photo has a candidate there or could not be read.
 */
export interface CropComparison {
  /** Likeness of both crops: overall, at the least similar spot, and around the location; 1 for identical images. */
  readonly overall: number;
  readonly worstSpot: number;
  readonly surroundings: number;
  /** Drop of the classifier's damage score from the finding's to the other visit's crop, log odds. */
  readonly drop: number | null;
  /** Classifier's damage probability of the other visit's crop, the highest within the error of its location; 0 to 1. */
  readonly damageScore: number | null;
  /** Share of the location whose colours differ clearly more than the surroundings'. */
  readonly colourChange: number | null;
  /** Classifier's damage probability of the finding's crop, 0 to 1. */
  readonly ownScore: number | null;
  /** How far the location stands out in each photo; null unless the scores suggest that the damage disappeared. */
  readonly contrasts: Contrasts | null;
}

/** A finding's location as shown in one photo of the other visit. */
export interface PlaceView extends CropComparison {
  /** Inliers of the match. */
  readonly inliers: number;
  /** Match of all keypoints, of those near the position predicted by the whole view, or with a wide tolerance. */
  readonly accuracy: 'exact' | 'guided' | 'coarse';
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
  /** If there are none, photos in which the location was matched coarsely. */
  readonly coarseViews: readonly PlaceView[];
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

export type Verdict = 'same' | 'probably_same' | 'absent' | 'cannot_tell' | 'not_seen';

/** A row of the decision table; the first matching row decides. */
interface Rule {
  readonly id: string;
  /** Returns the view that decides, or true if the rule needs none. */
  readonly applies: (evidence: PlaceEvidence) => PlaceView | boolean | undefined;
  readonly verdict: Verdict;
}

/**
 * Limits of likeness, measured on six re-shot copies of 54 photos and on rendered damage (test/bench/compare.ts); at or
 * above them the crops are alike.
 */
const LIKENESS = {
  /** Both crops show the same. */
  same: { overall: 0.85, worstSpot: 0.35 },
  /** The same if the classifier sees no damage in the other crop. */
  sameDespiteDrop: { overall: 0.85, worstSpot: 0.6 },
  /** Below, the structure changed. */
  structure: { overall: 0.9, worstSpot: 0.3 },
  /** Below, the structure changed slightly. */
  fineStructure: { overall: 0.97, worstSpot: 0.6 },
  /** Surroundings of the same location. */
  samePlace: 0.5,
  /** Surroundings below it are in different light or have hardly any structure. */
  sameLight: 0.9,
  /** Minimum gap between the location and its surroundings under different light, which changes both. */
  gap: 0.1,
} as const;

/** Drops of the classifier's damage score, log odds: at least some for an absent damage, strong for a faint one. */
const DROP = { absent: 0.8, ofColours: 1, strong: 2 } as const;

/** Minimum share of differing colours that counts as a change; at most 0.04 was measured on unchanged locations. */
const MIN_COLOUR_CHANGE = 0.1;
/**
 * Damage probability of crops without damage: the classifier scored nine of ten damages that were present at 0.43 or
 * more, and crops without the planted damage at 0.29 or less.
 */
const MAX_INTACT_SCORE = 0.35;

/**
 * Limits of a damage that disappeared in other light, chosen on pairs rendered under different skies
 * (test/bench/compare.ts). It must stand out by fine structure, because reflections alone show a dent: without that, a
 * dent that was there on both days is new.
 */
const DISAPPEARANCE = { ownScore: 0.45, damageScore: 0.5, drop: 1.9 } as const;
/** Log ratios: at least of the damage, at most of the intact location, and at least between them. */
const CONTRAST = { damaged: 0.4, intact: 0.3, drop: 0.35 } as const;

/** Minimum requirements for a view that proves absence; with fewer inliers, only if the surroundings are the same. */
const CLEAR_VIEW = { inliers: 12, scale: 0.5, insideShare: 0.95 } as const;

/** Minimum inliers, relative to the best view, of a view that can contradict it. */
const RIVAL_INLIERS = 0.3;

type Crops = Pick<CropComparison, 'overall' | 'worstSpot'>;

function hasChanged(view: Crops, limit: Crops): boolean {
  return view.overall < limit.overall && view.worstSpot < limit.worstSpot;
}

function hasDropped({ drop }: Pick<CropComparison, 'drop'>, limit: number): boolean {
  return drop !== null && drop >= limit;
}

function haveColoursChanged({ colourChange }: PlaceView): boolean {
  return colourChange !== null && colourChange >= MIN_COLOUR_CHANGE;
}

/** Returns whether the location looks unchanged. */
function isSamePicture(view: PlaceView): boolean {
  // A scratch as light as the paint changes only the colours.
  if (haveColoursChanged(view) && hasDropped(view, DROP.ofColours)) return false;
  const isSuspect = view.candidate < LISTED_CONFIDENCE && hasDropped(view, DROP.strong);
  const { overall, worstSpot } = isSuspect ? LIKENESS.sameDespiteDrop : LIKENESS.same;
  return view.overall >= overall && view.worstSpot >= worstSpot;
}

type ViewWithoutColours = Omit<PlaceView, 'colourChange' | 'contrasts'>;

function looksIntact({ damageScore }: Pick<CropComparison, 'damageScore'>): boolean {
  return damageScore !== null && damageScore < MAX_INTACT_SCORE;
}

/** Returns whether the structure changed and the other crop shows no damage. */
function showsNoDamage(view: ViewWithoutColours): boolean {
  return view.candidate < LISTED_CONFIDENCE && hasChanged(view, LIKENESS.structure) && looksIntact(view);
}

/** Returns whether the other crop shows no damage and only the location's colours differ, not the surroundings'. */
export function isLocalChange(view: PlaceView): boolean {
  return haveColoursChanged(view) && showsNoDamage(view);
}

/** Returns whether comparing colours can change the verdict on a view. */
export function needsColourComparison(view: ViewWithoutColours): boolean {
  return showsNoDamage(view) || hasDropped(view, DROP.ofColours);
}

/**
 * Returns whether the location is visible well enough to prove absence; few inliers suffice if the surroundings match.
 */
function isClearlyVisible(view: PlaceView): boolean {
  const { inliers, surroundings } = view;
  const minSurroundings = inliers >= CLEAR_VIEW.inliers ? LIKENESS.samePlace : LIKENESS.sameLight;
  if (surroundings < minSurroundings && !isLocalChange(view)) return false;
  return isWholeAndSharp(view);
}

function isWholeAndSharp({ scale, insideShare, isAtBorder, isFlawed }: PlaceView): boolean {
  return scale >= CLEAR_VIEW.scale && insideShare >= CLEAR_VIEW.insideShare && !isAtBorder && !isFlawed;
}

/**
 * Returns whether the damage is absent: its colours changed locally, or the image differs and the classifier agrees.
 * The larger the classifier's drop, the less the image must differ.
 */
function isAbsent(view: PlaceView): boolean {
  const { overall, surroundings } = view;
  const isOtherLight = surroundings >= LIKENESS.samePlace && surroundings < LIKENESS.sameLight;
  if (isOtherLight && overall > surroundings - LIKENESS.gap) return false;
  // A scratch seen on both days may reflect so differently that the crops differ more than their surroundings.
  if (isOtherLight && !looksIntact(view)) return false;
  if (isLocalChange(view)) return true;
  return (
    (hasChanged(view, LIKENESS.structure) && hasDropped(view, DROP.absent)) ||
    (hasChanged(view, LIKENESS.fineStructure) && hasDropped(view, DROP.strong))
  );
}

/**
 * Returns the best well-visible view if it shows absence, no view shows a candidate, and no other view contradicts it.
 */
function findAbsence(views: readonly PlaceView[]): PlaceView | undefined {
  const [best, ...others] = views.filter(isClearlyVisible);
  if (best === undefined || views.some(({ candidate }) => candidate >= LISTED_CONFIDENCE)) return undefined;
  const agrees = (view: PlaceView) => view.inliers < RIVAL_INLIERS * best.inliers || isAbsent(view);
  return isAbsent(best) && others.every(agrees) ? best : undefined;
}

/** Returns whether the damage scores suggest that a finding disappeared. */
export function mayHaveDisappeared({ ownScore, drop }: Pick<CropComparison, 'ownScore' | 'drop'>): boolean {
  return ownScore !== null && ownScore >= DISAPPEARANCE.ownScore && hasDropped({ drop }, DISAPPEARANCE.drop);
}

function hasDisappeared(view: PlaceView): boolean {
  const { damageScore, contrasts } = view;
  if (damageScore === null || contrasts === null || !mayHaveDisappeared(view)) return false;
  const standsOutLess =
    contrasts.source - contrasts.target >= CONTRAST.drop && contrasts.target <= CONTRAST.intact;
  return damageScore < DISAPPEARANCE.damageScore && contrasts.source >= CONTRAST.damaged && standsOutLess;
}

/** Returns the best view if each that is whole and sharp lacks the damage and no candidate is near. */
function findDisappearance({
  views,
  coarseViews,
  nearbyByView,
  nearbyByParts,
}: PlaceEvidence): PlaceView | undefined {
  const all = [...views, ...coarseViews];
  const hasCandidate = all.some(({ candidate }) => candidate >= LISTED_CONFIDENCE);
  if (hasCandidate || nearbyByView >= LISTED_CONFIDENCE || nearbyByParts >= SAME_DAMAGE_CONFIDENCE) return;
  const clear = all.filter(isWholeAndSharp);
  return clear.every(hasDisappeared) ? clear[0] : undefined;
}

/** Decision table, evaluated in order. */
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
      views.every(({ accuracy }) => accuracy !== 'exact') &&
      (nearbyByView >= LISTED_CONFIDENCE || nearbyByParts >= SAME_DAMAGE_CONFIDENCE),
  },
  { id: 'disappeared', verdict: 'absent', applies: findDisappearance },
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

/** Decision on a location; `view` is the index in `views`, then `coarseViews`, of the one that decided, if any. */
interface Decision {
  readonly id: PlaceRule;
  readonly verdict: Verdict;
  readonly view: number | null;
}

/** Decides on a finding without a listed counterpart in the other visit. */
export function decidePlace(evidence: PlaceEvidence): Decision {
  const views = [...evidence.views, ...evidence.coarseViews];
  for (const { id, verdict, applies } of PLACE_RULES) {
    const matched: PlaceView | boolean | undefined = applies(evidence);
    if (matched) return { id, verdict, view: matched === true ? null : views.indexOf(matched) };
  }
  throw new Error('no rule of the comparison fits');
}
