import type { ROW_DECISIONS } from '../../contract/constants.ts';
import type { Damage, InspectionEnvelope, Photo } from '../../contract/inspection.ts';
import {
  CHANGES,
  type Change,
  gradeSamePlaces,
  toChange,
  VISITS,
  type VisitName,
} from '../../domain/compare/changes.ts';
import { decidePlace, type PlaceRule } from '../../domain/compare/decide-place.ts';
import { isPlaceToCheckId } from '../../domain/damage.ts';
import { compareTexts } from '../../lib/names.ts';
import { roundTo } from '../../lib/numbers.ts';
import type { ComparisonDeps } from '../ports.ts';
import { type Album, createAlbum, type PhotoBox, type Visit } from './album.ts';
import { type Difference, listDifferences } from './differences.ts';
import { compareInliers, type PlacedCounterpart } from './find-counterparts.ts';
import { type Finding, type FindingGroup, groupFindings, searchFindings, type Visits } from './findings.ts';

/** A reviewer's decision on a row of the comparison. */
export interface RowDecision {
  readonly decision: (typeof ROW_DECISIONS)[number];
  readonly note?: string;
}

/** One place on the vehicle in both visits. */
export interface ComparedPlace {
  /**
   * Number of the finding in the later report; `B` and its number in the earlier report if only that one lists it. It
   * does not depend on what the photos show, so a decision always concerns the same finding.
   */
  readonly row: string;
  /** The reviewer's decision, and the change that it replaces. */
  readonly decided?: RowDecision & { readonly instead: Change };
  readonly change: Change;
  /** Rule of the decision table that applied. */
  readonly rule: PlaceRule;
  /** The finding of each visit at this place; null if the visit lists none. */
  readonly before: Damage | null;
  readonly after: Damage | null;
  /** True if any finding here is certain; otherwise all are places to check. */
  readonly certain: boolean;
  /** Box of the place in one photo per visit, in pixels of the upright photos; null unless found in both. */
  readonly boxes: Readonly<Record<VisitName, PhotoBox>> | null;
  /** Number of keypoints around the place that agree on its position; 0 without `boxes`. */
  readonly inliers: number;
}

/** Returns the finding that represents a compared place: the later one if both visits list one. */
export function pickFinding({ before, after }: ComparedPlace): Damage {
  const shown = after ?? before;
  if (shown === null) throw new Error('a compared place has a finding');
  return shown;
}

export interface Comparison {
  readonly before: InspectionEnvelope;
  readonly after: InspectionEnvelope;
  readonly places: readonly ComparedPlace[];
  readonly counts: Readonly<Record<Change, number>>;
  /** Condition score before, and after applying only the changes; null if a visit has no grade. */
  readonly grade: { readonly before: number; readonly onSamePlaces: number } | null;
  /** Photos of the later visit whose identical file is in the earlier one. */
  readonly copies: readonly Photo[];
  /** Needed photos that could not be read, except those of a visit without any files. */
  readonly unreadable: readonly {
    readonly visit: VisitName;
    readonly photo: Photo;
    readonly reason: string;
  }[];
  /** Caveats for the reader: why a change may be an artifact or a place cannot be compared. */
  readonly differences: readonly Difference[];
}

/**
 * Compares two inspections of one vehicle place by place: searches the other visit's photos for each finding and
 * decides by what they show. Without photos or models it never reports a change. The verdicts are symmetric: swapping
 * the visits turns new into repaired and changes no other.
 */
export async function compareVisits(
  before: Visit,
  after: Visit,
  openDeps: (() => Promise<ComparisonDeps>) | null,
): Promise<Comparison> {
  const album = openDeps && createAlbum(openDeps);
  const visits = { before, after };
  const inspections = { before: before.inspection, after: after.inspection };
  const groups = groupFindings(await searchFindings(visits, album));
  const places = groups.map(decideGroup).sort(compareByChange);
  const withoutFiles = VISITS.filter((visit) => album === null || album.isWithoutFiles(visits[visit]));
  const earlierHashes = new Set(before.inspection.data.images.map(({ sha256 }) => sha256));
  const copies = after.inspection.data.images.filter(({ sha256 }) => earlierHashes.has(sha256));
  return {
    ...inspections,
    ...summarize(inspections, places),
    copies,
    differences: listDifferences(before.inspection.data, after.inspection.data, copies, withoutFiles),
    unreadable: VISITS.filter((visit) => !withoutFiles.includes(visit)).flatMap((visit) =>
      listUnreadable(visit, visits, album),
    ),
  };
}

/** Returns the places with the counts and the grade that follow from their changes. */
export function summarize(
  inspections: Pick<Comparison, VisitName>,
  places: readonly ComparedPlace[],
): Pick<Comparison, 'places' | 'counts' | 'grade'> {
  const counts = Object.fromEntries(
    CHANGES.map((change) => [change, places.filter((place) => place.change === change).length]),
  ) as Record<Change, number>;
  return { places, counts, grade: gradeChanges(inspections, places) };
}

/**
 * Shifts the earlier grade by the effect of the changes; a grade capped for unseen sides stays at or below its cap.
 * Null if an inspection has no grade or shows several vehicles.
 */
function gradeChanges(
  inspections: Pick<Comparison, VisitName>,
  places: readonly ComparedPlace[],
): Comparison['grade'] {
  const isGraded = ({ data }: InspectionEnvelope) =>
    data.results !== null &&
    data.results.grade_basis.code !== 'too_little_seen' &&
    (data.results.grade_basis.vehicles ?? 1) === 1;
  const { results } = inspections.before.data;
  if (!results || !VISITS.every((visit) => isGraded(inspections[visit]))) return null;
  const before = results.condition_score;
  const computePoints = (finding: Damage | null, isConfirmed = false) =>
    finding &&
    finding.severity_score * (isConfirmed || !isPlaceToCheckId(finding.damage_id) ? 1 : finding.confidence);
  const points = places.map(({ change, before: earlier, after: later, decided }) => ({
    change,
    before: computePoints(earlier),
    after: computePoints(later, decided !== undefined),
  }));
  const unchangedScore = gradeSamePlaces(points.map((one) => ({ ...one, change: 'unchanged' })));
  const after = roundTo(Math.max(0, before + gradeSamePlaces(points) - unchangedScore), 1);
  return { before, onSamePlaces: Math.min(results.grade_basis.capped ? before : 10, after) };
}

function decideGroup(group: FindingGroup): ComparedPlace {
  const of = (visit: VisitName) => group.find((finding) => finding.visit === visit)?.damage ?? null;
  const [before, after] = [of('before'), of('after')];
  const certainOnes = group.filter(({ isCertain }) => isCertain);
  const listed = { row: after ? String(after.number) : `B${before?.number}`, before, after };
  const certain = certainOnes.length > 0;
  const deciding = certain ? certainOnes : group;
  if (!certain && group.length > 1)
    return { ...listed, ...pickBoxes(group, null), certain, change: 'to_check', rule: 'to_check_on_both' };
  const { rule, verdict, counterpart } = decidePlace(deciding);
  const change = certain ? toChange(verdict, certainOnes[0]?.visit ?? 'after') : 'to_check';
  return { ...listed, ...pickBoxes(deciding, counterpart), certain, change, rule };
}

/** Returns the place in both photos of the decisive counterpart, else of the one with most inliers. */
function pickBoxes(
  findings: readonly Finding[],
  decisive: PlacedCounterpart | null,
): Pick<ComparedPlace, 'boxes' | 'inliers'> {
  const all = findings.flatMap(({ counterparts }) => counterparts);
  const seen = decisive ?? all.sort(compareInliers)[0];
  const visit = findings.find(({ counterparts }) => seen && counterparts.includes(seen))?.visit;
  if (!seen || !visit) return { boxes: null, inliers: 0 };
  const { source, target, inliers } = seen;
  const boxes = visit === 'before' ? { before: source, after: target } : { before: target, after: source };
  return { boxes, inliers };
}

function listUnreadable(visit: VisitName, visits: Visits, album: Album | null): Comparison['unreadable'] {
  return visits[visit].inspection.data.images.flatMap((photo) => {
    const reason = album?.findFault(photo);
    return reason === undefined ? [] : [{ visit, photo, reason }];
  });
}

function compareByChange(a: ComparedPlace, b: ComparedPlace): number {
  const score = ({ before, after }: ComparedPlace) =>
    Math.max(before?.severity_score ?? 0, after?.severity_score ?? 0);
  return (
    CHANGES.indexOf(a.change) - CHANGES.indexOf(b.change) ||
    score(b) - score(a) ||
    compareTexts(pickFinding(a).damage_id, pickFinding(b).damage_id)
  );
}
