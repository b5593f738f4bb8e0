import { computeConditionScore } from './condition.ts';

/** What a comparison says of one place of the vehicle, changes first. */
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

/** Confidence from which on a candidate counts as the same damage, below the limit for a place to check or not. */
const WAS_THERE = 0.251;
/** Confidence below which no sensitivity lists a candidate. */
export const LEAST_LISTED = 0.076;

/**
 * What the pictures of a place show in both photos. `drop`, `damageThere` and `differs` are null where the other photo has
 * a candidate there or could not be read.
 */
export interface CloseLook {
  /** Likeness of both cuts: of the whole place, of its least alike spot, of what is around it; 1 is the same picture. */
  readonly whole: number;
  readonly worstSpot: number;
  readonly surroundings: number;
  /** By how much less the classifier takes the other cut for a damage, log odds. */
  readonly drop: number | null;
  /** How sure the classifier is that the other cut shows a damage, 0 to 1. */
  readonly damageThere: number | null;
  /** Share of the place whose colours differ by clearly more than those around it. */
  readonly differs: number | null;
}

/** What one photo of the other visit shows at the place of a find. */
export interface PlaceView extends CloseLook {
  /** Matches that agree on where the place is. */
  readonly inliers: number;
  /** These were looked for near where the view as a whole puts them, as too few are plain without. */
  readonly lookedFor: boolean;
  /** Highest judged confidence of a candidate at the place; 0 where there is none. */
  readonly candidate: number;
  /** How many times as large the other photo shows the place. */
  readonly scale: number;
  /** Share of the place that is inside the other photo. */
  readonly inside: number;
  /** The find touches the border of its own photo, so that its box is not whole. */
  readonly atBorder: boolean;
  /** One of the two photos is blurred, dark or glaring. */
  readonly flawed: boolean;
}

/** What is known of a find that has no listed find of the other visit at its place. */
export interface PlaceEvidence {
  /** The other visit has the very photo of it. */
  readonly samePhoto: boolean;
  /** Photos of the other visit in which the place was found by points that both show, surest first. */
  readonly views: readonly PlaceView[];
  /** The other visit has a photo of the part, whether or not the place was found in it. */
  readonly partSeen: boolean;
  /** Highest confidence of a kindred candidate about where the view as a whole puts the place; 0: none. */
  readonly nearbyInView: number;
  /** The same about where the parts put it, which is less sure. */
  readonly nearbyByParts: number;
}

/** A row of the decision table: the first that fits decides. */
interface Rule {
  readonly id: string;
  readonly applies: (evidence: PlaceEvidence) => boolean;
  readonly verdict: 'same' | 'probably_same' | 'absent' | 'cannot_tell' | 'not_seen';
}

/** The picture of the place is the same: limits measured on re-shot photos with and without planted damage. */
function isSamePicture({ whole, worstSpot, candidate, drop, differs }: PlaceView): boolean {
  // A scratch of the lightness of the paint changes the colours alone.
  if (differs !== null && differs >= LEAST_DIFFERENT && drop !== null && drop >= 1) return false;
  const suspect = candidate < LEAST_LISTED && drop !== null && drop >= 2;
  return whole >= 0.85 && worstSpot >= (suspect ? 0.6 : 0.35);
}

/** Share of a place that differs in colour from which on it is another: at most 0.04 was measured where nothing changed. */
const LEAST_DIFFERENT = 0.1;

/** What is known of a view before its colours are compared. */
type ViewInGrey = Omit<PlaceView, 'differs'>;

/**
 * The drawing is another, and the other cut shows no damage: the classifier gave nine of ten damages that were there at
 * least 0.43, and cuts without what was planted at most 0.29.
 */
function showsNone({ whole, worstSpot, damageThere, candidate }: ViewInGrey): boolean {
  return (
    whole < 0.9 && worstSpot < 0.3 && damageThere !== null && damageThere < 0.35 && candidate < LEAST_LISTED
  );
}

/** The other cut shows no damage, and its colours differ while those around it are the same. */
export function standsOut({ differs, ...view }: PlaceView): boolean {
  return differs !== null && differs >= LEAST_DIFFERENT && showsNone(view);
}

/** Whether comparing the colours can change what is said of a view. */
export function asksForColours(view: ViewInGrey): boolean {
  return showsNone(view) || (view.drop !== null && view.drop >= 1);
}

/** Likeness of the surroundings from which they are the same place. */
const SAME_PLACE = 0.5;
/** Likeness of the surroundings below which they are in another light, or hardly drawn. */
const SAME_LIGHT = 0.9;
/** Likeness by which a place in another light must be below its surroundings: the light changes both. */
const BELOW_SURROUNDINGS = 0.1;

/** The place is seen well enough to say what is not there; few points are enough where all around looks the same. */
function isWellSeen(view: PlaceView): boolean {
  const { scale, inside, atBorder, flawed, inliers, surroundings } = view;
  const isFound = surroundings >= (inliers >= 12 ? SAME_PLACE : SAME_LIGHT) || standsOut(view);
  return scale >= 0.5 && inside >= 0.95 && !atBorder && !flawed && isFound;
}

/** The place stands out, or the picture differs and the classifier agrees; the more it does, the less the picture must. */
function isAbsent(view: PlaceView): boolean {
  const { whole, worstSpot, surroundings, drop } = view;
  const inOtherLight = surroundings >= SAME_PLACE && surroundings < SAME_LIGHT;
  if (inOtherLight && whole > surroundings - BELOW_SURROUNDINGS) return false;
  if (standsOut(view)) return true;
  if (drop === null) return false;
  return (worstSpot < 0.3 && whole < 0.9 && drop >= 0.8) || (worstSpot < 0.6 && whole < 0.97 && drop >= 2);
}

/** Another view contradicts the best one only if nearly as many points agree in it. */
const COUNTS_FROM = 0.3;

/** No view shows a candidate, the best of those that show the place well says absent, and none of them contradicts it. */
function isNowhere(views: readonly PlaceView[]): boolean {
  const [best, ...rest] = views.filter(isWellSeen);
  if (best === undefined || views.some(({ candidate }) => candidate >= LEAST_LISTED)) return false;
  return isAbsent(best) && rest.every((view) => view.inliers < COUNTS_FROM * best.inliers || isAbsent(view));
}

/**
 * The decision table, in the order in which its rules are asked. Limits: measured on six re-shot copies of 54 photos and
 * on rendered damage (test/bench/compare.ts).
 */
const PLACE_RULES: readonly Rule[] = [
  { id: 'same_photo', verdict: 'same', applies: ({ samePhoto }) => samePhoto },
  {
    id: 'was_there',
    verdict: 'same',
    applies: ({ views }) => views.some(({ candidate }) => candidate >= WAS_THERE),
  },
  { id: 'same_picture', verdict: 'same', applies: ({ views }) => views.some(isSamePicture) },
  { id: 'not_there', verdict: 'absent', applies: ({ views }) => isNowhere(views) },
  {
    id: 'probably_there',
    verdict: 'probably_same',
    applies: ({ views, nearbyInView, nearbyByParts }) =>
      views.every(({ lookedFor }) => lookedFor) &&
      (nearbyInView >= LEAST_LISTED || nearbyByParts >= WAS_THERE),
  },
  { id: 'unclear', verdict: 'cannot_tell', applies: ({ views }) => views.length > 0 },
  { id: 'part_not_seen', verdict: 'not_seen', applies: ({ partSeen }) => !partSeen },
  { id: 'no_same_view', verdict: 'cannot_tell', applies: () => true },
];

/** Returns whether a place has to be judged by its pictures: neither the same photo nor a listed candidate decides it. */
export function asksForPictures({
  samePhoto,
  views,
}: Pick<PlaceEvidence, 'samePhoto'> & { readonly views: readonly Pick<PlaceView, 'candidate'>[] }): boolean {
  return !samePhoto && !views.some(({ candidate }) => candidate >= WAS_THERE);
}

/** Which rule decided on a place; `both_list_it` where both visits list a find there. */
export type PlaceRule = (typeof PLACE_RULES)[number]['id'] | 'both_list_it' | 'grown';

/** Decides on a find that has no listed find of the other visit at its place. */
export function decidePlace(evidence: PlaceEvidence): Pick<Rule, 'id' | 'verdict'> {
  const rule = PLACE_RULES.find((one) => one.applies(evidence));
  if (rule === undefined) throw new Error('no rule of the comparison fits');
  return { id: rule.id, verdict: rule.verdict };
}

/** Names what a verdict on a find of one visit says of the vehicle; of a place to check only that it is perhaps so. */
export function nameChange(verdict: Rule['verdict'], visit: 'before' | 'after', isCertain: boolean): Change {
  if (verdict === 'same') return 'unchanged';
  if (verdict === 'probably_same') return 'probably_unchanged';
  if (verdict !== 'absent') return verdict;
  const change = visit === 'after' ? 'new' : 'repaired';
  return isCertain ? change : `perhaps_${change}`;
}

/** Points that a place takes off the grade of each visit: severity scores, those of places to check times confidence. */
export interface PlacePoints {
  readonly change: Change;
  readonly before: number | null;
  readonly after: number | null;
}

/**
 * Returns the grade of the later visit on the places of the earlier one: what is new or worse counts, what is repaired does
 * not, and all else as it did before, so that a vehicle without a change keeps its grade exactly.
 */
export function gradeSamePlaces(places: readonly PlacePoints[]): number {
  const points = places.map(({ change, before, after }) => {
    if (change === 'repaired') return null;
    if (change === 'new') return after;
    return change === 'worse' ? Math.max(before ?? 0, after ?? 0) : before;
  });
  return computeConditionScore(points.filter((one) => one !== null));
}

/** What of two inspections differs, or does not, so that a reader should know it first. */
const DIFFERENCES = ['same_photos', 'other_models', 'other_settings', 'no_record', 'no_photos'] as const;
export type Difference = (typeof DIFFERENCES)[number];

/** A damage has grown where what both visits show of it is longer by more than this, and the rest was not there. */
export const GROWN_BY = 1.3;
