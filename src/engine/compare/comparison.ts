import type { Damage, InspectionEnvelope, Photo, VisualInspection } from '../../contract/inspection.ts';
import { type Box, computeShareOfSmaller, iou, isOnePlace, union } from '../../domain/geometry.ts';
import {
  asksForPictures,
  CHANGES,
  type Change,
  type CloseLook,
  type Difference,
  decidePlace,
  GROWN_BY,
  gradeSamePlaces,
  LEAST_LISTED,
  nameChange,
  type PlaceEvidence,
  type PlaceRule,
} from '../../domain/judge/compare.ts';
import type { StandardVerdicts } from '../../domain/judge/standard.ts';
import { findSide } from '../../domain/parts.ts';
import { showsTheSame } from '../../domain/sight/coverage.ts';
import { placeByParts } from '../../domain/sight/place/place-by-parts.ts';
import { mapInOrder } from '../../lib/in-order.ts';
import { roundTo } from '../../lib/round.ts';
import type { LookAgainDeps, Visit } from './album.ts';
import { type AboutPlace, createLookAgain, type FoundPlace, type OwnPlace } from './look-again.ts';
import { findCandidate, rankPartners, toBox } from './photo-record.ts';

type Side = 'before' | 'after';

/** What a person says of a row: it is new, it was there before, or nobody has to pay for it. */
export const ROW_DECISIONS = ['new', 'was_there', 'not_chargeable'] as const;

/** The decision of a person on a row of the comparison. */
export interface RowDecision {
  readonly decision: (typeof ROW_DECISIONS)[number];
  readonly note?: string;
}

/** One place of the vehicle in both visits. */
export interface ComparedPlace {
  /** Names the place in this comparison, from 1. */
  readonly row: number;
  /** What a person said of it, and what the photos said before. */
  readonly decided?: RowDecision & { readonly instead: Change };
  readonly change: Change;
  /** Which rule of the decision table decided on the photos. */
  readonly rule: PlaceRule;
  /** The most severe find of each visit there; null where it lists none. */
  readonly before: Damage | null;
  readonly after: Damage | null;
  /** Whether a find of the place is certain; else all are places to check. */
  readonly certain: boolean;
  /** The place in a photo of each visit, where it was found in both; pixels of the upright photos. */
  readonly cuts: Readonly<Record<Side, OwnPlace>> | null;
  /** Points that agree on where the place is; 0 without `cuts`. */
  readonly inliers: number;
  /** Confidence that the other visit gave to the place, listed or not. */
  readonly candidate: number;
}

export interface Comparison {
  readonly before: InspectionEnvelope;
  readonly after: InspectionEnvelope;
  readonly places: readonly ComparedPlace[];
  readonly counts: Readonly<Record<Change, number>>;
  /** Condition scores: the earlier one, and what it is with the changes alone; null where one has no grade. */
  readonly grade: { readonly before: number; readonly onSamePlaces: number } | null;
  /** Verdicts by a standard on the damages of the later visit, where one was asked for. */
  readonly verdicts?: StandardVerdicts;
  /** Photos of the later visit that are the same exposure as one of the earlier, encoded, cut or scaled again. */
  readonly copies: readonly Photo[];
  /** What a reader has to know first: why a place need not have changed, or cannot be compared. */
  readonly differences: readonly Difference[];
}

/** A find of one visit with what the other visit shows of it. */
interface Find {
  readonly side: Side;
  readonly damage: Damage;
  readonly certain: boolean;
  readonly places: readonly OwnPlace[];
  readonly views: readonly FoundPlace[];
  /** Places where the parts or the view as a whole put it. */
  readonly about: readonly AboutPlace[];
}

/** Types that one damage may be called by in two sets of photos: light decides which shows. */
const KIN: readonly (readonly string[])[] = [
  ['scratch', 'paint_damage', 'rust'],
  ['dent', 'panel_damage', 'crack'],
  ['glass_damage', 'lamp_damage'],
];

/**
 * Compares two inspections of one vehicle place by place: each find is looked for in the photos of the other visit, and
 * what is seen there decides. Without photos, or without a way to look, nothing is ever new or repaired. Which visit comes first
 * changes the names of the result alone.
 */
export async function compareVisits(
  before: Visit,
  after: Visit,
  openDeps: (() => Promise<LookAgainDeps>) | null,
): Promise<Comparison> {
  const look = openDeps && createLookAgain(openDeps);
  const visits = { before, after };
  const finds = await findAll(visits, look);
  const groups = groupByPlace(finds);
  const seen = { before: couldSee(before.inspection), after: couldSee(after.inspection) };
  const isSamePhoto = ({ side, places }: Find) =>
    visits[turn(side)].inspection.data.images.some(({ sha256 }) =>
      places.some(({ photo }) => photo.sha256 === sha256),
    );
  const looks = await lookClosely(listUndecided(groups, isSamePhoto), visits, look);
  const places = groups.map((group) => {
    const evidence = (find: Find): PlaceEvidence => {
      const other = turn(find.side);
      return {
        samePhoto: isSamePhoto(find),
        views: find.views.map((view) => ({ ...view, ...(looks.get(view) ?? NOT_LOOKED) })),
        partSeen: seen[other](find),
        nearbyInView: findNearby(find, 'view'),
        nearbyByParts: findNearby(find, 'parts'),
      };
    };
    return decideGroup(group, evidence);
  });
  const isMissing = [before, after].some(({ inspection }) =>
    look === null ? true : inspection.data.images.some((photo) => look.isMissing(photo)),
  );
  return {
    before: before.inspection,
    after: after.inspection,
    ...summarise(
      before.inspection,
      places.sort(byChange).map((place, at) => ({ ...place, row: at + 1 })),
    ),
    copies: after.inspection.data.images.filter((photo) => look?.isCopied(photo)),
    differences: listDifferences(before.inspection.data, after.inspection.data, isMissing),
  };
}

/** Counts the places, and moves the grade by them. */
export function summarise(
  before: InspectionEnvelope,
  places: readonly ComparedPlace[],
): Pick<Comparison, 'places' | 'counts' | 'grade'> {
  const counts = Object.fromEntries(
    CHANGES.map((change) => [change, places.filter((place) => place.change === change).length]),
  ) as Record<Change, number>;
  return { places, counts, grade: gradeChanges(before, places) };
}

/**
 * Moves the earlier grade by what the changes make of it; one that was brought down because not every side was seen stays
 * below its limit.
 */
function gradeChanges(
  { data: { results } }: InspectionEnvelope,
  places: readonly ComparedPlace[],
): Comparison['grade'] {
  if (!results || results.grade_basis.code === 'too_little_seen') return null;
  const toCheck = new Set(results.to_check.map(({ damage_id: id }) => id));
  const before = results.condition_score;
  const pointsOf = (find: Damage | null, certain: boolean) =>
    find && find.severity_score * (certain ? 1 : find.confidence);
  const points = places.map((place) => ({
    change: place.change,
    before: pointsOf(place.before, !toCheck.has(place.before?.damage_id ?? '')),
    after: pointsOf(place.after, place.certain),
  }));
  const without = gradeSamePlaces(points.map((one) => ({ ...one, change: 'unchanged' })));
  const moved = roundTo(Math.max(0, before + gradeSamePlaces(points) - without), 1);
  return { before, onSamePlaces: Math.min(results.grade_basis.capped ? before : 10, moved) };
}

/** Share of the photo's long side by which a place that is only known about may be off. */
const ABOUT = 0.03;

function grow({ photo, box: { x, y, width, height } }: OwnPlace): Box {
  const by = ABOUT * Math.max(photo.width, photo.height);
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

function findNearby(find: Find, by: AboutPlace['by']): number {
  const about = find.about.filter((one) => one.by === by);
  // What lies at the very place may be called by any name, as a close-up shows another kind than a wide view.
  const exact = by === 'view' ? about.map((one) => findCandidate(one.photo, one.box)) : [];
  return Math.max(0, ...exact, ...about.map((one) => findCandidate(one.photo, grow(one), listKin(find))));
}

function listKin({ damage: { type } }: Find): readonly string[] {
  return KIN.find((group) => group.includes(type)) ?? [type];
}

type LookAgain = ReturnType<typeof createLookAgain>;

/** Likeness of a place that is not judged by its pictures; no rule reads it. */
const NO_LIKENESS = { whole: 0, worstSpot: 0, surroundings: 0 };
const NOT_LOOKED: CloseLook = { ...NO_LIKENESS, drop: null, damageThere: null, differs: null };

/** Returns the finds that have to be judged by their pictures: those of one visit alone, and those that may have grown. */
function listUndecided(
  groups: readonly (readonly Find[])[],
  isSamePhoto: (find: Find) => boolean,
): readonly Find[] {
  return groups.flatMap((group) => {
    const { before, after } = bySide(group);
    if (before && after) return after.views.some((view) => mayHaveGrown(view, before)) ? [after] : [];
    return group.filter((find) => asksForPictures({ samePhoto: isSamePhoto(find), views: find.views }));
  });
}

/** Returns what the pictures show in both photos of each place. */
async function lookClosely(
  finds: readonly Find[],
  visits: Readonly<Record<Side, Visit>>,
  look: LookAgain | null,
): Promise<ReadonlyMap<FoundPlace, CloseLook>> {
  const looks = new Map<FoundPlace, CloseLook>();
  for (const side of ['before', 'after'] as const) {
    const views = finds.filter((find) => find.side === side).flatMap((find) => find.views);
    const seen = (await look?.lookClosely(visits[side], visits[turn(side)], views)) ?? [];
    for (const [at, one] of seen.entries()) looks.set(views[at] as FoundPlace, one);
  }
  return looks;
}

const turn = (side: Side): Side => (side === 'before' ? 'after' : 'before');

/** A damage or place to check of one visit, with its place in each photo that shows it. */
type Listed = Pick<Find, 'side' | 'damage' | 'certain' | 'places'>;

function listDamages(side: Side, { data: { results, images } }: InspectionEnvelope): Listed[] {
  const photos = new Map(images.map((photo) => [photo.index, photo]));
  const placed = (certain: boolean) => (damage: Damage) => ({
    side,
    damage,
    certain,
    places: damage.evidence.flatMap(({ image_index: index, coordinates: box }) => {
      const photo = photos.get(index);
      return photo ? [{ photo, box }] : [];
    }),
  });
  return [...(results?.damages ?? []).map(placed(true)), ...(results?.to_check ?? []).map(placed(false))];
}

/** Number of finds searched concurrently: the threads open photos for some while the places of others are matched. */
const AT_ONCE = 4;

async function findAll(visits: Readonly<Record<Side, Visit>>, look: LookAgain | null): Promise<Find[]> {
  const listed = (['before', 'after'] as const).flatMap((side) => listDamages(side, visits[side].inspection));
  const finds = await mapInOrder(listed, AT_ONCE, undefined, async (one): Promise<Find> => {
    const [own, other] = [visits[one.side], visits[turn(one.side)]];
    const views: FoundPlace[] = [];
    const about: AboutPlace[] = [];
    for (const place of one.places) {
      const elsewhere = listed
        .filter(({ side, damage }) => side === one.side && damage !== one.damage)
        .flatMap(({ places }) => places.filter(({ photo }) => photo === place.photo).map(({ box }) => box));
      const found = await look?.findPlace(own, place, elsewhere, other);
      views.push(...(found?.views ?? []));
      about.push(...(found?.about ?? []));
      if (!found || found.views.length + found.about.length === 0) about.push(...placeAbout(place, other));
    }
    views.sort((a, b) => b.inliers - a.inliers);
    return { ...one, views, about };
  });
  return finds.filter((find) => find !== null);
}

/** Returns about where a place is in photos of the other visit, by the parts alone. */
function placeAbout({ photo, box }: OwnPlace, { inspection }: Visit): AboutPlace[] {
  const list = (one: Photo) =>
    (one.record?.parts ?? []).map((part) => ({ part: part.part, box: toBox(part.box), cut: part.cut }));
  const own = list(photo);
  const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2, width: 1, height: 1 };
  const ownPart = own.find((part) => computeShareOfSmaller(centre, part.box) > 0)?.part;
  return rankPartners(photo, inspection.data.images).flatMap((other) => {
    if (photo.angle !== null && other.angle !== null && photo.angle !== other.angle) return [];
    const placed = placeByParts(own, list(other), box, ownPart);
    return placed ? [{ photo: other, box: placed, by: 'parts' as const }] : [];
  });
}

/**
 * Puts finds of both visits together that lie at one place of the vehicle, best overlap first; each find stands once.
 */
function groupByPlace(finds: readonly Find[]): Find[][] {
  const ofSide = (side: Side) => finds.filter((find) => find.side === side);
  const pairs = ofSide('before')
    .flatMap((one) => ofSide('after').map((other) => ({ one, other, overlap: computeOverlap(one, other) })))
    .filter(({ overlap }) => overlap > 0)
    .sort((a, b) => b.overlap - a.overlap || (nameOf(a) < nameOf(b) ? -1 : 1));
  const taken = new Set<Find>();
  const groups: Find[][] = [];
  for (const { one, other } of pairs) {
    if (taken.has(one) || taken.has(other)) continue;
    taken.add(one).add(other);
    groups.push([one, other]);
  }
  return [...groups, ...finds.filter((find) => !taken.has(find)).map((find) => [find])];
}

/** The same whichever of the two visits comes first. */
function nameOf({ one, other }: { one: Find; other: Find }): string {
  return [one.damage.damage_id, other.damage.damage_id].sort().join(' ');
}

function lieTogether(places: readonly OwnPlace[], others: readonly OwnPlace[]): boolean {
  return places.some((one) =>
    others.some((other) => one.photo.sha256 === other.photo.sha256 && isOnePlace(one.box, other.box)),
  );
}

/** Returns how well the places of two finds agree, 0 where they are two places. */
function computeOverlap(one: Find, other: Find): number {
  const best = (from: Find, to: Find) => {
    const registered = [...from.views.map((view) => view.other), ...from.places];
    return Math.max(0, ...registered.flatMap((place) => overlapsAt(place, to)));
  };
  const registered = Math.max(best(one, other), best(other, one));
  if (registered > 0) return 1 + registered;
  const isKin = listKin(one).includes(other.damage.type);
  return isKin && (lieTogether(one.about, other.places) || lieTogether(other.about, one.places)) ? 1 : 0;
}

function overlapsAt({ photo, box }: OwnPlace, { places }: Find): number[] {
  return places
    .filter((place) => place.photo.sha256 === photo.sha256 && isOnePlace(place.box, box))
    .map((place) => iou(place.box, box));
}

function decideGroup(
  group: readonly Find[],
  evidenceOf: (find: Find) => PlaceEvidence,
): Omit<ComparedPlace, 'row'> {
  const { before, after } = bySide(group);
  const shown = {
    before: before?.damage ?? null,
    after: after?.damage ?? null,
    certain: group.some(({ certain }) => certain),
    ...pickCuts(group),
  };
  if (before && after) {
    const grown = hasGrown(after, before, evidenceOf);
    return { ...shown, change: grown ? 'worse' : 'unchanged', rule: grown ? 'grown' : 'both_list_it' };
  }
  const [find] = group;
  if (find === undefined) throw new Error('a place without a find');
  const { id, verdict } = decidePlace(evidenceOf(find));
  return { ...shown, change: nameChange(verdict, find.side, find.certain), rule: id };
}

function bySide(group: readonly Find[]): Partial<Record<Side, Find | undefined>> {
  const of = (wanted: Side) => group.find(({ side }) => side === wanted);
  return { before: of('before'), after: of('after') };
}

function pickCuts(group: readonly Find[]): Pick<ComparedPlace, 'cuts' | 'inliers' | 'candidate'> {
  const [best] = group
    .flatMap((find) => find.views.map((view) => ({ side: find.side, view })))
    .sort((a, b) => b.view.inliers - a.view.inliers);
  if (best === undefined) return { cuts: null, inliers: 0, candidate: 0 };
  const { own, other, inliers } = best.view;
  const cuts = best.side === 'before' ? { before: own, after: other } : { before: other, after: own };
  const candidate = Math.max(...group.flatMap((find) => find.views.map((view) => view.candidate)));
  return { cuts, inliers, candidate };
}

/**
 * Returns whether what the later visit shows of a damage reaches well beyond what the earlier one shows, where the
 * picture of the place has changed and the earlier photo shows no candidate over the whole of it.
 */
function hasGrown(find: Find, before: Find, evidenceOf: (find: Find) => PlaceEvidence): boolean {
  const views = evidenceOf(find).views;
  return find.views.some((view, at) => {
    const evidence = views[at];
    if (evidence === undefined || !mayHaveGrown(view, before)) return false;
    return decidePlace({ ...evidenceOf(find), samePhoto: false, views: [evidence] }).verdict === 'absent';
  });
}

/**
 * Returns whether a find may have grown: together with the earlier find it is longer than that one, and the earlier photo
 * has no candidate at the place.
 */
function mayHaveGrown({ other, candidate }: FoundPlace, before: Find): boolean {
  const earlier = before.places.find(({ photo }) => photo.sha256 === other.photo.sha256);
  if (earlier === undefined || candidate >= LEAST_LISTED) return false;
  const both = union(other.box, earlier.box);
  return Math.max(both.width, both.height) > GROWN_BY * Math.max(earlier.box.width, earlier.box.height);
}

function listDifferences(
  before: VisualInspection,
  after: VisualInspection,
  photosMissing: boolean,
): readonly Difference[] {
  const ruled = [before, after].every(({ models }) => models.every((model) => model.rules_sha256));
  const models = (data: VisualInspection) =>
    data.models.map(({ sha256, rules_sha256: rules }) => (ruled ? `${sha256} ${rules}` : sha256));
  const same = (one: readonly string[], other: readonly string[]) =>
    JSON.stringify([...new Set(one)].sort()) === JSON.stringify([...new Set(other)].sort());
  const settings = ({ settings: of }: VisualInspection) =>
    JSON.stringify([of.sensitivity, of.min_confidence, of.certain_from, of.to_check_from]);
  const shas = new Set(before.images.map(({ sha256 }) => sha256));
  const hasRecord = ({ images }: VisualInspection) =>
    images.every(
      ({ analysed, record, issues }) =>
        !analysed || record || issues.some(({ code }) => code === 'no_vehicle'),
    );
  return [
    ...(after.images.some(({ sha256 }) => shas.has(sha256)) ? (['same_photos'] as const) : []),
    ...(same(models(before), models(after)) ? [] : (['other_models'] as const)),
    ...(settings(before) === settings(after) ? [] : (['other_settings'] as const)),
    ...(hasRecord(before) && hasRecord(after) ? [] : (['no_record'] as const)),
    ...(photosMissing ? (['no_photos'] as const) : []),
  ];
}

/** Returns whether an inspection has a photo of the part that another one found a damage on. */
function couldSee({ data }: InspectionEnvelope): (find: Find) => boolean {
  // Parts by their names, and sides of the vehicle that nobody photographed.
  const unseen = new Set(
    data.results?.not_assessed.flatMap(({ what, code }) => (code === 'view_incomplete' ? [] : [what])),
  );
  const views = data.images.map(({ angle }) => angle).filter((angle) => angle !== null);
  return ({ damage, places }) => {
    const { part } = damage.location;
    if (unseen.has(part) || unseen.has(findSide(part))) return false;
    const from = places.map(({ photo }) => photo.angle).filter((angle) => angle !== null);
    return from.length === 0 || from.some((one) => views.some((view) => showsTheSame(view, one)));
  };
}

function byChange(a: Omit<ComparedPlace, 'row'>, b: Omit<ComparedPlace, 'row'>): number {
  const score = ({ before, after }: typeof a) =>
    Math.max(before?.severity_score ?? 0, after?.severity_score ?? 0);
  const id = ({ before, after }: typeof a) => (after ?? before)?.damage_id ?? '';
  return (
    CHANGES.indexOf(a.change) - CHANGES.indexOf(b.change) ||
    Number(b.certain) - Number(a.certain) ||
    score(b) - score(a) ||
    (id(a) < id(b) ? -1 : 1)
  );
}
