import type { Damage, InspectionEnvelope, Photo } from '../../contract/inspection.ts';
import { type Box, iou, isSamePlace } from '../../domain/geometry.ts';
import {
  CHANGES,
  type Change,
  type CropComparison,
  type Difference,
  decidePlace,
  gradeSamePlaces,
  needsImageComparison,
  type PlaceEvidence,
  type PlaceRule,
  toChange,
} from '../../domain/judge/compare.ts';
import type { StandardVerdicts } from '../../domain/judge/standard.ts';
import { findSide } from '../../domain/parts.ts';
import { showsSameArea } from '../../domain/sight/coverage.ts';
import { mapInOrder } from '../../lib/map-in-order.ts';
import { roundTo } from '../../lib/round.ts';
import type { LookAgainDeps, Visit } from './album.ts';
import { listDifferences } from './differences.ts';
import { listGrownViews } from './growth.ts';
import {
  compareInliers,
  createLookAgain,
  type FoundPlace,
  hintByParts,
  type OwnPlace,
  type PlaceHint,
} from './look-again.ts';
import { findCandidate } from './photo-record.ts';

type Side = 'before' | 'after';

/** Reviewer decisions on a row: new, pre-existing, or not chargeable. */
export const ROW_DECISIONS = ['new', 'was_there', 'not_chargeable'] as const;

/** A reviewer's decision on a row of the comparison. */
export interface RowDecision {
  readonly decision: (typeof ROW_DECISIONS)[number];
  readonly note?: string;
}

/** One location on the vehicle in both visits. */
export interface ComparedPlace {
  /**
   * Number of the finding in the later inspection; for those of the earlier one alone, their number after the last of
   * the later. It does not depend on what the photos show, so a decision always concerns the same finding.
   */
  readonly row: number;
  /** The reviewer's decision and the change that the photos had shown. */
  readonly decided?: RowDecision & { readonly instead: Change };
  readonly change: Change;
  /** Rule of the decision table that judged the photos. */
  readonly rule: PlaceRule;
  /** Most severe finding of each visit at this location; null if the visit lists none. */
  readonly before: Damage | null;
  readonly after: Damage | null;
  /** True if any finding here is certain; otherwise all are places to check. */
  readonly certain: boolean;
  /** The location in one photo per visit, in pixels of the upright photos; null unless it was matched in both. */
  readonly cuts: Readonly<Record<Side, OwnPlace>> | null;
  /** Inliers of the match; 0 without `cuts`. */
  readonly inliers: number;
  /** Highest confidence of the other visit's candidates at this location, listed or not. */
  readonly candidate: number;
}

/** A needed photo that could not be read. */
interface UnreadablePhoto {
  readonly side: Side;
  readonly photo: Photo;
  readonly reason: string;
}

export interface Comparison {
  readonly before: InspectionEnvelope;
  readonly after: InspectionEnvelope;
  readonly places: readonly ComparedPlace[];
  readonly counts: Readonly<Record<Change, number>>;
  /** Condition score before, and after applying only the changes; null if a visit has no grade. */
  readonly grade: { readonly before: number; readonly onSamePlaces: number } | null;
  /** Verdicts of the requested standard on the later visit's damages. */
  readonly verdicts?: StandardVerdicts;
  /** Photos of the later visit that show the same exposure as an earlier one, re-encoded, cropped or resized. */
  readonly copies: readonly Photo[];
  /** Needed photos that could not be read, except those of a visit without any file. */
  readonly unreadable: readonly UnreadablePhoto[];
  /** Caveats for the reader: why a change may be an artefact or a location cannot be compared. */
  readonly differences: readonly Difference[];
}

/** A finding of one visit with its matches in the other. */
interface Finding {
  readonly side: Side;
  readonly damage: Damage;
  readonly certain: boolean;
  readonly places: readonly OwnPlace[];
  readonly views: readonly FoundPlace[];
  /** Approximate locations in the other visit, from the parts or the view as a whole. */
  readonly hints: readonly PlaceHint[];
}

/** Damage types that the same damage may be detected as, depending on the light. */
const RELATED_TYPES: readonly (readonly string[])[] = [
  ['scratch', 'paint_damage', 'rust'],
  ['dent', 'panel_damage', 'crack'],
  ['glass_damage', 'lamp_damage'],
];

/**
 * Compares two inspections of one vehicle location by location: searches the other visit's photos for each finding and
 * decides by what they show. Without photos or models it never reports new or repaired. Swapping the visits changes
 * only the names in the result.
 */
export async function compareVisits(
  before: Visit,
  after: Visit,
  openDeps: (() => Promise<LookAgainDeps>) | null,
): Promise<Comparison> {
  const look = openDeps && createLookAgain(openDeps);
  const visits = { before, after };
  const findings = await findAll(visits, look);
  const groups = groupByPlace(findings).map(makeGroup);
  const seen = { before: makeIsVisible(before.inspection), after: makeIsVisible(after.inspection) };
  const isSamePhoto = ({ side, places }: Finding) =>
    visits[opposite(side)].inspection.data.images.some(({ sha256 }) =>
      places.some(({ photo }) => photo.sha256 === sha256),
    );
  const looks = await compareImages(listUndecided(groups, isSamePhoto), visits, look);
  const places = groups.map((group) => {
    const evidence = (finding: Finding): PlaceEvidence => {
      const other = opposite(finding.side);
      return {
        hasSamePhoto: isSamePhoto(finding),
        views: finding.views.map((view) => ({ ...view, ...(looks.get(view) ?? NOT_COMPARED) })),
        isPartSeen: seen[other](finding),
        isOwnPhotoUnreadable:
          finding.places.length > 0 && finding.places.every(({ photo }) => look?.findFault(photo)),
        nearbyByView: rateNearby(finding, 'view'),
        nearbyByParts: rateNearby(finding, 'parts'),
      };
    };
    return decideGroup(group, evidence);
  });
  const lastNumber = Math.max(
    0,
    ...findings.map(({ side, damage }) => (side === 'after' ? damage.number : 0)),
  );
  const rowOf = ({ before: earlier, after: later }: Omit<ComparedPlace, 'row'>) =>
    later?.number ?? lastNumber + (earlier?.number ?? 0);
  const withoutFiles = (['before', 'after'] as const).filter(
    (side) => look === null || look.isWithoutFiles(visits[side]),
  );
  return {
    before: before.inspection,
    after: after.inspection,
    ...summarise(
      before.inspection,
      places.sort(byChange).map((place) => ({ ...place, row: rowOf(place) })),
    ),
    copies: after.inspection.data.images.filter((photo) => look?.isCopied(photo)),
    differences: listDifferences(before.inspection.data, after.inspection.data, withoutFiles.length > 0),
    unreadable: (['before', 'after'] as const)
      .filter((side) => !withoutFiles.includes(side))
      .flatMap((side) => listUnreadable(side, visits[side], look)),
  };
}

/** Counts the changes and updates the grade. */
export function summarise(
  before: InspectionEnvelope,
  places: readonly ComparedPlace[],
): Pick<Comparison, 'places' | 'counts' | 'grade'> {
  const counts = Object.fromEntries(
    CHANGES.map((change) => [change, places.filter((place) => place.change === change).length]),
  ) as Record<Change, number>;
  return { places, counts, grade: gradeChanges(before, places) };
}

/** Shifts the earlier grade by the effect of the changes; a grade capped for unseen sides stays at or below its cap. */
function gradeChanges(
  { data: { results } }: InspectionEnvelope,
  places: readonly ComparedPlace[],
): Comparison['grade'] {
  if (!results || results.grade_basis.code === 'too_little_seen') return null;
  const toCheck = new Set(results.to_check.map(({ damage_id: id }) => id));
  const before = results.condition_score;
  const pointsOf = (finding: Damage | null, certain: boolean) =>
    finding && finding.severity_score * (certain ? 1 : finding.confidence);
  const points = places.map((place) => ({
    change: place.change,
    before: pointsOf(place.before, !toCheck.has(place.before?.damage_id ?? '')),
    after: pointsOf(place.after, place.certain),
  }));
  const without = gradeSamePlaces(points.map((one) => ({ ...one, change: 'unchanged' })));
  const moved = roundTo(Math.max(0, before + gradeSamePlaces(points) - without), 1);
  return { before, onSamePlaces: Math.min(results.grade_basis.capped ? before : 10, moved) };
}

/** Tolerance of an approximate location, as a fraction of the photo's long side. */
const APPROXIMATE_TOLERANCE = 0.03;

function expand({ photo, box: { x, y, width, height } }: OwnPlace): Box {
  const by = APPROXIMATE_TOLERANCE * Math.max(photo.width, photo.height);
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

function rateNearby(finding: Finding, by: PlaceHint['by']): number {
  const hints = finding.hints.filter((one) => one.by === by);
  // At the exact location any damage type counts, because a close-up and a wide view may be classified differently.
  const exact = by === 'view' ? hints.map((one) => findCandidate(one.photo, one.box)) : [];
  return Math.max(
    0,
    ...exact,
    ...hints.map((one) => findCandidate(one.photo, expand(one), listRelated(finding))),
  );
}

function listRelated({ damage: { type } }: Finding): readonly string[] {
  return RELATED_TYPES.find((group) => group.includes(type)) ?? [type];
}

type LookAgain = ReturnType<typeof createLookAgain>;

/** Placeholder for findings without image comparison; no rule reads its likeness. */
const NO_LIKENESS = { overall: 0, worstSpot: 0, surroundings: 0 };
const NOT_COMPARED: CropComparison = { ...NO_LIKENESS, drop: null, damageScore: null, colourChange: null };

/** The findings of both visits at one location; `grown` shows what the later one adds to the earlier one. */
interface Group extends Partial<Record<Side, Finding | undefined>> {
  readonly findings: readonly Finding[];
  readonly grown: readonly FoundPlace[];
}

function makeGroup(findings: readonly Finding[]): Group {
  const [before, after] = (['before', 'after'] as const).map((side) =>
    findings.find((finding) => finding.side === side),
  );
  const grown = before && after ? listGrownViews(after.views, before.places) : [];
  return { before, after, findings, grown };
}

/** Returns the findings that need image comparison: those of a single visit, and the growth of those of both. */
function listUndecided(
  groups: readonly Group[],
  isSamePhoto: (finding: Finding) => boolean,
): readonly Finding[] {
  return groups.flatMap(({ before, after, findings, grown }) => {
    if (before && after) return grown.length > 0 ? [{ ...after, views: grown }] : [];
    return findings.filter((finding) =>
      needsImageComparison({ hasSamePhoto: isSamePhoto(finding), views: finding.views }),
    );
  });
}

async function compareImages(
  findings: readonly Finding[],
  visits: Readonly<Record<Side, Visit>>,
  look: LookAgain | null,
): Promise<ReadonlyMap<FoundPlace, CropComparison>> {
  const looks = new Map<FoundPlace, CropComparison>();
  for (const side of ['before', 'after'] as const) {
    const views = findings.filter((finding) => finding.side === side).flatMap((finding) => finding.views);
    const seen = (await look?.compareImages(visits[side], visits[opposite(side)], views)) ?? [];
    for (const [at, one] of seen.entries()) looks.set(views[at] as FoundPlace, one);
  }
  return looks;
}

const opposite = (side: Side): Side => (side === 'before' ? 'after' : 'before');

/** A damage or place to check of one visit, with its box in each photo that shows it. */
type Listed = Pick<Finding, 'side' | 'damage' | 'certain' | 'places'>;

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

/** Findings searched in parallel, so worker threads open photos while others are matched. */
const MAX_PARALLEL = 4;

async function findAll(visits: Readonly<Record<Side, Visit>>, look: LookAgain | null): Promise<Finding[]> {
  const listed = (['before', 'after'] as const).flatMap((side) => listDamages(side, visits[side].inspection));
  const findings = await mapInOrder(listed, MAX_PARALLEL, undefined, async (one): Promise<Finding> => {
    const [own, other] = [visits[one.side], visits[opposite(one.side)]];
    const views: FoundPlace[] = [];
    const hints: PlaceHint[] = [];
    for (const place of one.places) {
      const elsewhere = listed
        .filter(({ side, damage }) => side === one.side && damage !== one.damage)
        .flatMap(({ places }) => places.filter(({ photo }) => photo === place.photo).map(({ box }) => box));
      const found = await look?.findPlace(own, place, elsewhere, other);
      views.push(...(found?.views ?? []));
      hints.push(...(found?.hints ?? []));
      if (!found || found.views.length + found.hints.length === 0) hints.push(...hintByParts(place, other));
    }
    views.sort(compareInliers);
    return { ...one, views, hints };
  });
  return findings.filter((finding) => finding !== null);
}

/** Pairs findings of both visits at the same location, best overlap first; each finding is used once. */
function groupByPlace(findings: readonly Finding[]): Finding[][] {
  const ofSide = (side: Side) => findings.filter((finding) => finding.side === side);
  const pairs = ofSide('before')
    .flatMap((one) => ofSide('after').map((other) => ({ one, other, overlap: computeOverlap(one, other) })))
    .filter(({ overlap }) => overlap > 0)
    .sort((a, b) => b.overlap - a.overlap || (makePairKey(a) < makePairKey(b) ? -1 : 1));
  const taken = new Set<Finding>();
  const groups: Finding[][] = [];
  for (const { one, other } of pairs) {
    if (taken.has(one) || taken.has(other)) continue;
    taken.add(one).add(other);
    groups.push([one, other]);
  }
  return [...groups, ...findings.filter((finding) => !taken.has(finding)).map((finding) => [finding])];
}

/** Sort key of a pair, independent of the order of the visits. */
function makePairKey({ one, other }: { one: Finding; other: Finding }): string {
  return [one.damage.damage_id, other.damage.damage_id].sort().join(' ');
}

function coincide(places: readonly OwnPlace[], others: readonly OwnPlace[]): boolean {
  return places.some((one) =>
    others.some((other) => one.photo.sha256 === other.photo.sha256 && isSamePlace(one.box, other.box)),
  );
}

/** Scores how well two findings coincide; 0 if they are at different locations. */
function computeOverlap(one: Finding, other: Finding): number {
  const best = (from: Finding, to: Finding) => {
    const registered = [...from.views.map((view) => view.other), ...from.places];
    return Math.max(0, ...registered.flatMap((place) => overlapsAt(place, to)));
  };
  const registered = Math.max(best(one, other), best(other, one));
  if (registered > 0) return 1 + registered;
  const isRelated = listRelated(one).includes(other.damage.type);
  return isRelated && (coincide(one.hints, other.places) || coincide(other.hints, one.places)) ? 1 : 0;
}

function overlapsAt({ photo, box }: OwnPlace, { places }: Finding): number[] {
  return places
    .filter((place) => place.photo.sha256 === photo.sha256 && isSamePlace(place.box, box))
    .map((place) => iou(place.box, box));
}

function decideGroup(
  { before, after, findings, grown }: Group,
  evidenceOf: (finding: Finding) => PlaceEvidence,
): Omit<ComparedPlace, 'row'> {
  const shown = {
    before: before?.damage ?? null,
    after: after?.damage ?? null,
    certain: findings.some(({ certain }) => certain),
  };
  if (before && after) {
    // An added area that the earlier photo shows without damage.
    const added = grown.find((view) => {
      const evidence = evidenceOf({ ...after, views: [view] });
      return decidePlace({ ...evidence, hasSamePhoto: false }).verdict === 'absent';
    });
    const [change, rule] = added ? (['worse', 'grown'] as const) : (['unchanged', 'both_list_it'] as const);
    return { ...shown, ...pickCuts(findings, added), change, rule };
  }
  const [finding] = findings;
  if (finding === undefined) throw new Error('a location without a finding');
  const { id, verdict, view } = decidePlace(evidenceOf(finding));
  const cuts = pickCuts(findings, view === null ? undefined : finding.views[view]);
  return { ...shown, ...cuts, change: toChange(verdict, finding.side, finding.certain), rule: id };
}

/** Returns the location in both photos of the view that decided, else of the view with most inliers. */
function pickCuts(
  findings: readonly Finding[],
  decisive: FoundPlace | undefined,
): Pick<ComparedPlace, 'cuts' | 'inliers' | 'candidate'> {
  const isDecisive = ({ own, other }: FoundPlace) =>
    own.photo === decisive?.own.photo && other.photo === decisive.other.photo;
  const views = findings
    .flatMap((finding) => finding.views.map((view) => ({ side: finding.side, view })))
    .sort((a, b) => compareInliers(a.view, b.view));
  const best = views.find(({ view }) => isDecisive(view)) ?? views[0];
  if (best === undefined) return { cuts: null, inliers: 0, candidate: 0 };
  const { own, other, inliers } = best.view;
  const cuts = best.side === 'before' ? { before: own, after: other } : { before: other, after: own };
  return { cuts, inliers, candidate: Math.max(...views.map(({ view }) => view.candidate)) };
}

function listUnreadable(side: Side, { inspection }: Visit, look: LookAgain | null): UnreadablePhoto[] {
  return inspection.data.images.flatMap((photo) => {
    const reason = look?.findFault(photo);
    return reason === undefined ? [] : [{ side, photo, reason }];
  });
}

/** Returns a predicate: does this inspection have a photo of the part on which a finding lies. */
function makeIsVisible({ data }: InspectionEnvelope): (finding: Finding) => boolean {
  // Part names and vehicle sides that were not photographed.
  const unseen = new Set(
    data.results?.not_assessed.flatMap(({ what, code }) => (code === 'view_incomplete' ? [] : [what])),
  );
  const views = data.images.map(({ angle }) => angle).filter((angle) => angle !== null);
  return ({ damage, places }) => {
    const { part } = damage.location;
    if (unseen.has(part) || unseen.has(findSide(part))) return false;
    const from = places.map(({ photo }) => photo.angle).filter((angle) => angle !== null);
    return from.length === 0 || from.some((one) => views.some((view) => showsSameArea(view, one)));
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
