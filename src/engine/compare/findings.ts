import pLimit from 'p-limit';
import type { Damage, InspectionEnvelope, Photo } from '../../contract/inspection.ts';
import { VISITS, type VisitName } from '../../domain/compare/changes.ts';
import type { SearchOutcome } from '../../domain/compare/decide-place.ts';
import { iou, isSamePlace } from '../../domain/geometry.ts';
import { findSide } from '../../domain/parts.ts';
import type { Sensitivity } from '../../domain/sensitivity.ts';
import { showsSameArea } from '../../domain/sight/walk-around.ts';
import { compareTexts } from '../../lib/names.ts';
import type { Vision } from '../ports.ts';
import type { Album, PhotoBox, Visit } from './album.ts';
import { compareInliers, findCounterparts, type PlacedCounterpart } from './find-counterparts.ts';

export type Visits = Readonly<Record<VisitName, Visit>>;

/** A damage or place to check of one visit, with its box in each photo that shows it. */
interface ListedFinding {
  readonly visit: VisitName;
  readonly damage: Damage;
  readonly isCertain: boolean;
  readonly boxes: readonly (PhotoBox & { readonly confidence: number })[];
}

/** A finding of one visit, searched in the other visit's photos. */
export interface Finding extends ListedFinding, SearchOutcome {
  readonly counterparts: readonly PlacedCounterpart[];
}

/** Findings searched in parallel, so worker threads open photos while others are compared. */
const MAX_PARALLEL = 4;

/** Searches the other visit's photos for each finding, unless they hold its own photo; without an album, finds none. */
export async function searchFindings(visits: Visits, album: Album | null): Promise<Finding[]> {
  const listed = VISITS.flatMap((visit) => listFindings(visit, visits[visit].inspection));
  return pLimit(MAX_PARALLEL).map(listed, async (finding): Promise<Finding> => {
    const { visit, boxes } = finding;
    const pair = { source: visits[visit], target: visits[visit === 'before' ? 'after' : 'before'] };
    const hashes = new Set(pair.target.inspection.data.images.map(({ sha256 }) => sha256));
    const hasSamePhoto = boxes.some(({ photo }) => hashes.has(photo.sha256));
    const counterparts: PlacedCounterpart[] = [];
    if (album && !hasSamePhoto) {
      const certainFrom = findCertainLimit(pair.source, await album.readLimits());
      for (const [boxIndex, one] of boxes.entries()) {
        // A place to check that was joined to a certain damage is not certain on its own.
        const isCertainBox = !finding.isCertain || boxIndex === 0 || one.confidence >= certainFrom;
        const otherBoxes = listOtherBoxes(one.photo, finding, listed);
        counterparts.push(
          ...(await findCounterparts(album, pair, { ...one, boxIndex, isCertainBox }, otherBoxes)),
        );
      }
    }
    return {
      ...finding,
      counterparts: counterparts.sort(compareInliers),
      hasSamePhoto,
      isPartSeen: isPartSeen(pair.target.inspection, finding),
      isOwnPhotoUnreadable:
        boxes.length > 0 && boxes.every(({ photo }) => album?.findFault(photo) !== undefined),
    };
  });
}

/** Returns the confidence from which a box of the visit is certain damage by itself. */
function findCertainLimit({ inspection }: Visit, limits: Vision['limits']): number {
  const { sensitivity, certain_from: certainFrom } = inspection.data.settings;
  return certainFrom ?? (limits[sensitivity as Sensitivity] ?? limits.default).certain;
}

function listFindings(visit: VisitName, { data: { results, images } }: InspectionEnvelope): ListedFinding[] {
  const photos = new Map(images.map((photo) => [photo.index, photo]));
  const toFinding = (isCertain: boolean) => (damage: Damage) => ({
    visit,
    damage,
    isCertain,
    boxes: damage.evidence.flatMap(({ image_index: index, coordinates: box, confidence }) => {
      const photo = photos.get(index);
      return photo ? [{ photo, box, confidence }] : [];
    }),
  });
  return [
    ...(results?.damages ?? []).map(toFinding(true)),
    ...(results?.to_check ?? []).map(toFinding(false)),
  ];
}

/** Lists the boxes of the visit's other findings in a photo. */
function listOtherBoxes(photo: Photo, { visit, damage }: ListedFinding, listed: readonly ListedFinding[]) {
  return listed
    .filter((other) => other.visit === visit && other.damage !== damage)
    .flatMap(({ boxes }) => boxes.filter((one) => one.photo === photo).map(({ box }) => box));
}

/**
 * Returns whether an analyzed photo of an inspection shows the finding's area by its view; true if its views are unknown,
 * false for an inspection that failed, of which no photo shows a vehicle.
 */
function isPartSeen({ data }: InspectionEnvelope, { damage, boxes }: ListedFinding): boolean {
  const side: string = findSide(damage.location.part);
  if (data.results === null || data.missing_views.includes(side)) return false;
  const views = data.images.flatMap(({ analyzed, angle }) => (analyzed && angle ? [angle] : []));
  const from = boxes.map(({ photo }) => photo.angle).filter((angle) => angle !== null);
  return from.length === 0 || from.some((one) => views.some((view) => showsSameArea(view, one)));
}

/** The findings at one place: one per visit at most. */
export type FindingGroup = readonly [Finding] | readonly [before: Finding, after: Finding];

/**
 * Groups the findings of both visits by place, best overlap first. Certain findings are paired with each other
 * before places to check, so that a place to check never changes how certain damage is paired.
 */
export function groupFindings(findings: readonly Finding[]): FindingGroup[] {
  const ofVisit = (visit: VisitName) => findings.filter((finding) => finding.visit === visit);
  const makePair = (one: Finding, other: Finding) => ({
    one,
    other,
    overlap: computeOverlap(one, other),
    certainCount: Number(one.isCertain) + Number(other.isCertain),
    // Independent of the order of the visits.
    key: [one.damage.damage_id, other.damage.damage_id].sort().join(' '),
  });
  const pairs = ofVisit('before')
    .flatMap((one) => ofVisit('after').map((other) => makePair(one, other)))
    .filter(({ overlap }) => overlap > 0)
    .sort((a, b) => b.certainCount - a.certainCount || b.overlap - a.overlap || compareTexts(a.key, b.key));
  const taken = new Set<Finding>();
  const groups: FindingGroup[] = [];
  for (const { one, other } of pairs) {
    if (taken.has(one) || taken.has(other)) continue;
    taken.add(one).add(other);
    groups.push([one, other]);
  }
  return [...groups, ...findings.filter((finding) => !taken.has(finding)).map((one) => [one] as const)];
}

/** Scores how well two findings coincide in a photo of either visit; 0 if they are at different places. */
function computeOverlap(one: Finding, other: Finding): number {
  const best = (from: Finding, to: Finding) =>
    Math.max(
      0,
      ...[...from.counterparts.map(({ target }) => target), ...from.boxes].flatMap(({ photo, box }) =>
        to.boxes
          .filter((own) => own.photo.sha256 === photo.sha256 && isSamePlace(own.box, box))
          .map((own) => iou(own.box, box)),
      ),
    );
  return Math.max(best(one, other), best(other, one));
}
