import type { Damage, InspectionEnvelope, Photo } from '../../contract/inspection.ts';
import { CHANGES, type Change, gradeSamePlaces, toChange } from '../../domain/judge/changes.ts';
import { decidePlace, type PlaceEvidence, type PlaceRule } from '../../domain/judge/decide-place.ts';
import { roundTo } from '../../lib/round.ts';
import type { ComparisonDeps, Visit } from './album.ts';
import { type Difference, listDifferences } from './differences.ts';
import { type Finding, SIDES, type Side, searchFindings, type Visits } from './findings.ts';
import { type FindingGroup, groupFindings } from './group-findings.ts';
import { collectEvidence } from './place-evidence.ts';
import { compareInliers, type PhotoBox, type PlaceMatch } from './place-match.ts';
import { createPlaceSearch, type PlaceSearch } from './place-search.ts';

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
  readonly cuts: Readonly<Record<Side, PhotoBox>> | null;
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
  /** Photos of the later visit that show the same exposure as an earlier one, re-encoded, cropped or resized. */
  readonly copies: readonly Photo[];
  /** Needed photos that could not be read, except those of a visit without any file. */
  readonly unreadable: readonly UnreadablePhoto[];
  /** Caveats for the reader: why a change may be an artefact or a location cannot be compared. */
  readonly differences: readonly Difference[];
}

/**
 * Compares two inspections of one vehicle location by location: searches the other visit's photos for each finding and
 * decides by what they show. Without photos or models it never reports new or repaired. Swapping the visits changes
 * only the names in the result.
 */
export async function compareVisits(
  before: Visit,
  after: Visit,
  openDeps: (() => Promise<ComparisonDeps>) | null,
): Promise<Comparison> {
  const search = openDeps && createPlaceSearch(openDeps);
  const visits = { before, after };
  const groups = groupFindings(await searchFindings(visits, search));
  const gatherEvidence = await collectEvidence(groups, visits, search);
  const places = groups.map((group) => decideGroup(group, gatherEvidence)).sort(compareByChange);
  const sidesWithoutFiles = SIDES.filter((side) => search === null || search.isWithoutFiles(visits[side]));
  return {
    before: before.inspection,
    after: after.inspection,
    ...summarise(before.inspection, numberRows(places)),
    copies: after.inspection.data.images.filter((photo) => search?.isCopied(photo)),
    differences: listDifferences(before.inspection.data, after.inspection.data, sidesWithoutFiles.length > 0),
    unreadable: SIDES.filter((side) => !sidesWithoutFiles.includes(side)).flatMap((side) =>
      listUnreadable(side, visits, search),
    ),
  };
}

type UnnumberedPlace = Omit<ComparedPlace, 'row'>;

function numberRows(places: readonly UnnumberedPlace[]): ComparedPlace[] {
  const lastNumber = Math.max(0, ...places.map(({ after }) => after?.number ?? 0));
  return places.map((place) => ({
    ...place,
    row: place.after?.number ?? lastNumber + (place.before?.number ?? 0),
  }));
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
  const computePoints = (finding: Damage | null, isCertain: boolean) =>
    finding && finding.severity_score * (isCertain ? 1 : finding.confidence);
  const points = places.map((place) => ({
    change: place.change,
    before: computePoints(place.before, !toCheck.has(place.before?.damage_id ?? '')),
    after: computePoints(place.after, place.certain),
  }));
  const unchangedScore = gradeSamePlaces(points.map((one) => ({ ...one, change: 'unchanged' })));
  const after = roundTo(Math.max(0, before + gradeSamePlaces(points) - unchangedScore), 1);
  return { before, onSamePlaces: Math.min(results.grade_basis.capped ? before : 10, after) };
}

function decideGroup(
  { before, after, findings, addedAreas }: FindingGroup,
  gatherEvidence: (finding: Finding) => PlaceEvidence,
): UnnumberedPlace {
  const listed = {
    before: before?.damage ?? null,
    after: after?.damage ?? null,
    certain: findings.some(({ certain }) => certain),
  };
  if (before && after) {
    // An added area that the earlier photo shows without damage.
    const added = addedAreas.find((match) => {
      const evidence = gatherEvidence({ ...after, matches: [match] });
      return decidePlace({ ...evidence, hasSamePhoto: false }).verdict === 'absent';
    });
    const [change, rule] = added ? (['worse', 'grown'] as const) : (['unchanged', 'both_list_it'] as const);
    return { ...listed, ...pickCuts(findings, added), change, rule };
  }
  const [finding] = findings;
  if (finding === undefined) throw new Error('a location without a finding');
  const { id, verdict, view } = decidePlace(gatherEvidence(finding));
  const cuts = pickCuts(
    findings,
    view === null ? undefined : [...finding.matches, ...finding.coarseMatches][view],
  );
  return { ...listed, ...cuts, change: toChange(verdict, finding.side, finding.certain), rule: id };
}

/** Returns the location in both photos of the decisive match, else of the match with most inliers. */
function pickCuts(
  findings: readonly Finding[],
  decisive: PlaceMatch | undefined,
): Pick<ComparedPlace, 'cuts' | 'inliers' | 'candidate'> {
  const isDecisive = ({ source, target }: PlaceMatch) =>
    source.photo === decisive?.source.photo && target.photo === decisive.target.photo;
  const matches = findings
    .flatMap(({ side, matches, coarseMatches }) =>
      [...matches, ...coarseMatches].map((match) => ({ side, ...match })),
    )
    .filter((match) => match.accuracy !== 'coarse' || isDecisive(match))
    .sort(compareInliers);
  const best = matches.find(isDecisive) ?? matches[0];
  if (best === undefined) return { cuts: null, inliers: 0, candidate: 0 };
  const { side, source, target, inliers } = best;
  const cuts = side === 'before' ? { before: source, after: target } : { before: target, after: source };
  return { cuts, inliers, candidate: Math.max(...matches.map(({ candidate }) => candidate)) };
}

function listUnreadable(side: Side, visits: Visits, search: PlaceSearch | null): UnreadablePhoto[] {
  return visits[side].inspection.data.images.flatMap((photo) => {
    const reason = search?.findFault(photo);
    return reason === undefined ? [] : [{ side, photo, reason }];
  });
}

function compareByChange(a: UnnumberedPlace, b: UnnumberedPlace): number {
  const score = ({ before, after }: UnnumberedPlace) =>
    Math.max(before?.severity_score ?? 0, after?.severity_score ?? 0);
  const id = ({ before, after }: UnnumberedPlace) => (after ?? before)?.damage_id ?? '';
  return (
    CHANGES.indexOf(a.change) - CHANGES.indexOf(b.change) ||
    Number(b.certain) - Number(a.certain) ||
    score(b) - score(a) ||
    (id(a) < id(b) ? -1 : 1)
  );
}
