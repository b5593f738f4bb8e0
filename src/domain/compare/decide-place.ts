import { groupBy } from '../../lib/lists.ts';
import { clamp } from '../geometry.ts';
import type { Likeness } from './likeness.ts';

/** Comparison of one place's crops from two photos. */
interface CropComparison extends Likeness {
  /** Share of the place whose colors differ clearly more than the surroundings'; null if it cannot be measured. */
  readonly colorChange: number | null;
  /** Classifier's damage probability of the finding's crop, 0 to 1; null if there is no classifier. */
  readonly ownScore: number | null;
  /** Likewise for the other visit's crop. */
  readonly otherScore: number | null;
}

/** One box of a finding as shown in one photo of the other visit. */
export interface Counterpart extends CropComparison {
  readonly boxIndex: number;
  /** False for a box of a certain finding that would only be a place to check on its own. */
  readonly isCertainBox: boolean;
  /** Number of keypoints around the place that agree on where it is. */
  readonly inliers: number;
  /** Scale of the place in the other photo relative to the finding's photo. */
  readonly scale: number;
  /** Share of the place inside the other photo. */
  readonly insideShare: number;
  /** True if the finding touches the border of its photo, so its box is truncated. */
  readonly isAtBorder: boolean;
  /** True if either photo is blurred, dark or glaring. */
  readonly isFlawed: boolean;
}

/** What the search of the other visit's photos found of one finding, whatever that visit lists. */
export interface SearchOutcome<C extends Counterpart = Counterpart> {
  /** True if the other visit contains the identical photo. */
  readonly hasSamePhoto: boolean;
  /** Photos of the other visit in which the place was found, most inliers first. */
  readonly counterparts: readonly C[];
  /** True if the other visit has a photo of the part, found or not. */
  readonly isPartSeen: boolean;
  /** True if no photo of the finding's own visit that shows it could be read. */
  readonly isOwnPhotoUnreadable: boolean;
}

export type Verdict = 'same' | 'changed' | 'absent' | 'cannot_tell' | 'not_photographed';

/**
 * Limits of likeness, measured on six re-shot copies of 54 photos and on rendered damage (test/bench/compare.ts); at or
 * above them the crops are alike.
 */
const LIKENESS = {
  /** Both crops show the same. */
  same: { overall: 0.85, worstSpot: 0.35 },
  /** The same although the damage score drops strongly. */
  sameDespiteDrop: { overall: 0.85, worstSpot: 0.6 },
  /** Below this, the structure changed. */
  structure: { overall: 0.9, worstSpot: 0.3 },
  /** Below this, the structure changed slightly. */
  fineStructure: { overall: 0.97, worstSpot: 0.6 },
  /** Minimum likeness of the surroundings for them to be the same place. */
  samePlace: 0.5,
  /** Surroundings below this are in different light or have hardly any structure. */
  sameLight: 0.9,
  /** Minimum gap between place and surroundings under different light, which changes both. */
  gap: 0.1,
} as const;

/** Drops of the classifier's damage score, log odds: at least some for an absent damage, strong for a faint one. */
const DROP = { absent: 0.8, strong: 2 } as const;

/**
 * Share of differing colors: at `changed` or above it is a change (unchanged places measured at most 0.05), below
 * `same` none. In between lie scratches a pixel or two wide.
 */
const COLOR_CHANGE = { changed: 0.1, same: 0.02 } as const;
/**
 * Damage probability of crops without damage: the classifier scored nine of ten damages that were present at 0.43 or
 * more, and crops without the planted damage at 0.29 or less.
 */
const MAX_INTACT_SCORE = 0.35;

/** Minima for a counterpart that proves a change; fewer inliers suffice in the same light or if the change is local. */
const CLEAR = { inliers: 12, scale: 0.5, insideShare: 0.95 } as const;

/** Minimum inliers, relative to the best counterpart, of a counterpart that can contradict it. */
const RIVAL_INLIERS = 0.3;

const hasChanged = (seen: CropComparison, limit: (typeof LIKENESS)['structure' | 'fineStructure']): boolean =>
  seen.overall < limit.overall && seen.worstSpot < limit.worstSpot;

/** Drop of the damage score from the finding's to the other visit's crop, log odds; 0 if unknown. */
const computeDrop = ({ ownScore, otherScore }: CropComparison): number =>
  ownScore === null || otherScore === null ? 0 : toLogOdds(ownScore) - toLogOdds(otherScore);

function toLogOdds(probability: number): number {
  const inside = clamp(probability, 0.01, 0.99);
  return Math.log(inside / (1 - inside));
}

/** Returns whether the colors changed; a scratch as light as the paint changes nothing else. */
const haveColorsChanged = ({ colorChange }: CropComparison): boolean =>
  colorChange !== null && colorChange >= COLOR_CHANGE.changed;

function isSamePicture(seen: Counterpart): boolean {
  if (seen.colorChange !== null && seen.colorChange >= COLOR_CHANGE.same) return false;
  const { overall, worstSpot } = computeDrop(seen) >= DROP.strong ? LIKENESS.sameDespiteDrop : LIKENESS.same;
  return seen.overall >= overall && seen.worstSpot >= worstSpot;
}

const looksIntact = ({ otherScore }: CropComparison): boolean =>
  otherScore !== null && otherScore < MAX_INTACT_SCORE;

/** Returns whether the other crop shows no damage and only the place differs, not its surroundings. */
export const isLocalChange = (seen: Counterpart): boolean =>
  haveColorsChanged(seen) && hasChanged(seen, LIKENESS.structure) && looksIntact(seen);

/** Returns whether the place is visible well enough to prove a change. */
function isClearlyVisible(seen: Counterpart): boolean {
  const { inliers, surroundings, scale, insideShare, isAtBorder, isFlawed } = seen;
  const minSurroundings = inliers >= CLEAR.inliers ? LIKENESS.samePlace : LIKENESS.sameLight;
  if (surroundings < minSurroundings && !isLocalChange(seen)) return false;
  return scale >= CLEAR.scale && insideShare >= CLEAR.insideShare && !isAtBorder && !isFlawed;
}

/**
 * Returns whether the damage is absent: its colors changed locally, or the picture differs and the classifier agrees.
 * The larger the classifier's drop, the less the picture must differ.
 */
function isAbsent(seen: Counterpart): boolean {
  const { overall, surroundings } = seen;
  const isOtherLight = surroundings >= LIKENESS.samePlace && surroundings < LIKENESS.sameLight;
  if (isOtherLight && overall > surroundings - LIKENESS.gap) return false;
  // A scratch seen on both days may reflect so differently that the crops differ more than their surroundings.
  if (isOtherLight && !looksIntact(seen)) return false;
  if (isLocalChange(seen)) return true;
  const drop = computeDrop(seen);
  return (
    (hasChanged(seen, LIKENESS.structure) && drop >= DROP.absent) ||
    (hasChanged(seen, LIKENESS.fineStructure) && drop >= DROP.strong)
  );
}

/** Returns whether structure and colors differ in the same light, regardless of the classifier. */
function isVisiblyDifferent(seen: Counterpart): boolean {
  return (
    seen.surroundings >= LIKENESS.sameLight &&
    haveColorsChanged(seen) &&
    hasChanged(seen, LIKENESS.fineStructure)
  );
}

/** Returns the best clear counterpart if it shows the change and no other clear counterpart contradicts it. */
function findChange<C extends Counterpart>(
  all: readonly C[],
  shows: (seen: Counterpart) => boolean,
): C | undefined {
  const [best, ...others] = all.filter(isClearlyVisible);
  if (best === undefined || !shows(best)) return undefined;
  return others.every((seen) => seen.inliers < RIVAL_INLIERS * best.inliers || shows(seen))
    ? best
    : undefined;
}

const pickCertain = <C extends Counterpart>(all: readonly C[]) =>
  all.filter(({ isCertainBox }) => isCertainBox);

/** Returns a counterpart that shows the same picture, for a box that is certain by itself if there is one, else for any. */
function findSamePicture<C extends Counterpart>(counterparts: readonly C[]): C | undefined {
  const certain = pickCertain(counterparts);
  return (certain.length > 0 ? certain : counterparts).find(isSamePicture);
}

/** Returns the counterpart of a certain box that is absent although another box of the finding shows the same picture. */
function findPartlyAbsent<C extends Counterpart>({ counterparts }: SearchOutcome<C>): C | undefined {
  const boxes = [...groupBy(pickCertain(counterparts), ({ boxIndex }) => boxIndex).values()];
  if (!counterparts.some(isSamePicture)) return undefined;
  return boxes
    .filter((ofBox) => !ofBox.some(isSamePicture))
    .flatMap((ofBox) => findChange(ofBox, isAbsent) ?? [])[0];
}

/** Rule that decided a place; `to_check_on_both` if neither visit is certain of what it lists there. */
export type PlaceRule = ReturnType<typeof decidePlace>['rule'] | 'to_check_on_both';

/**
 * Decides on a place by what the photos show of its certain findings, from one visit or from each: by the first rule that
 * applies, whose measured cases `docs/using/compare.md` counts. `counterpart` is null for a rule by no single one.
 */
export function decidePlace<C extends Counterpart>(findings: readonly SearchOutcome<C>[]) {
  const decide = <R extends string>(rule: R, verdict: Verdict, counterpart: C | null = null) => ({
    rule,
    verdict,
    counterpart,
  });
  if (findings.some(({ hasSamePhoto }) => hasSamePhoto)) return decide('same_photo', 'same');
  const [partlyAbsent] = findings.flatMap((one) => findPartlyAbsent(one) ?? []);
  if (partlyAbsent) return decide('partly_absent', 'changed', partlyAbsent);
  const found = findings.filter(({ counterparts }) => counterparts.length > 0);
  const same = found.map(({ counterparts }) => findSamePicture(counterparts));
  if (same[0] && !same.includes(undefined)) return decide('same_picture', 'same', same[0]);
  const [first] = findings;
  if (first && findings.length === 1) {
    const absent = first.counterparts.some(isSamePicture)
      ? undefined
      : findChange(first.counterparts, isAbsent);
    if (absent) return decide('not_there', 'absent', absent);
  } else {
    const [changed] = found.flatMap((one) => findChange(one.counterparts, isVisiblyDifferent) ?? []);
    if (changed) return decide('different', 'changed', changed);
  }
  if (found.length > 0) return decide('unclear', 'cannot_tell');
  if (findings.some(({ isPartSeen }) => !isPartSeen)) return decide('part_not_seen', 'not_photographed');
  return findings.some(({ isOwnPhotoUnreadable }) => isOwnPhotoUnreadable)
    ? decide('own_photo_unreadable', 'cannot_tell')
    : decide('no_same_view', 'cannot_tell');
}
