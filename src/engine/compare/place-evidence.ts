import type { InspectionEnvelope } from '../../contract/inspection.ts';
import type { Box } from '../../domain/geometry.ts';
import {
  type CropComparison,
  needsImageComparison,
  type PlaceEvidence,
} from '../../domain/judge/decide-place.ts';
import { findSide } from '../../domain/parts.ts';
import { showsSameArea } from '../../domain/sight/coverage.ts';
import { NOT_COMPARED } from './compare-images.ts';
import { type Finding, listRelatedTypes, opposite, SIDES, type Visits } from './findings.ts';
import type { FindingGroup } from './group-findings.ts';
import { findCandidate } from './photo-record.ts';
import type { PhotoBox, PlaceHint, PlaceMatch } from './place-match.ts';
import type { PlaceSearch } from './place-search.ts';

/** Compares the images of all undecided locations and returns the evidence on any finding. */
export async function collectEvidence(
  groups: readonly FindingGroup[],
  visits: Visits,
  search: PlaceSearch | null,
): Promise<(finding: Finding) => PlaceEvidence> {
  const isPartSeen = {
    before: makeIsPartSeen(visits.before.inspection),
    after: makeIsPartSeen(visits.after.inspection),
  };
  const hasSamePhoto = ({ side, places }: Finding) =>
    visits[opposite(side)].inspection.data.images.some(({ sha256 }) =>
      places.some(({ photo }) => photo.sha256 === sha256),
    );
  const comparisons = await compareImages(listUndecided(groups, hasSamePhoto), visits, search);
  const toView = (match: PlaceMatch) => ({ ...match, ...(comparisons.get(match) ?? NOT_COMPARED) });
  return (finding) => ({
    hasSamePhoto: hasSamePhoto(finding),
    views: finding.matches.map(toView),
    coarseViews: finding.coarseMatches.map(toView),
    isPartSeen: isPartSeen[opposite(finding.side)](finding),
    isOwnPhotoUnreadable:
      finding.places.length > 0 && finding.places.every(({ photo }) => search?.findFault(photo)),
    nearbyByView: findNearbyConfidence(finding, 'view'),
    nearbyByParts: findNearbyConfidence(finding, 'parts'),
  });
}

/** Returns the findings that need image comparison: those of a single visit, and the growth of those of both. */
function listUndecided(
  groups: readonly FindingGroup[],
  hasSamePhoto: (finding: Finding) => boolean,
): readonly Finding[] {
  return groups.flatMap(({ before, after, findings, addedAreas }) => {
    if (before && after) return addedAreas.length > 0 ? [{ ...after, matches: addedAreas }] : [];
    return findings.filter((finding) =>
      needsImageComparison({ hasSamePhoto: hasSamePhoto(finding), views: finding.matches }),
    );
  });
}

async function compareImages(
  findings: readonly Finding[],
  visits: Visits,
  search: PlaceSearch | null,
): Promise<ReadonlyMap<PlaceMatch, CropComparison>> {
  const comparisons = new Map<PlaceMatch, CropComparison>();
  for (const side of SIDES) {
    const matches = findings
      .filter((finding) => finding.side === side)
      .flatMap((finding) => [...finding.matches, ...finding.coarseMatches]);
    const pair = { source: visits[side], target: visits[opposite(side)] };
    const compared = (await search?.compareImages(pair, matches)) ?? [];
    for (const [at, comparison] of compared.entries()) comparisons.set(matches[at] as PlaceMatch, comparison);
  }
  return comparisons;
}

/** Tolerance of an approximate location, as a fraction of the photo's long side. */
const APPROXIMATE_TOLERANCE = 0.03;

function expand({ photo, box: { x, y, width, height } }: PhotoBox): Box {
  const margin = APPROXIMATE_TOLERANCE * Math.max(photo.width, photo.height);
  return { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin };
}

function findNearbyConfidence(finding: Finding, basis: PlaceHint['basis']): number {
  const hints = finding.hints.filter((hint) => hint.basis === basis);
  // At the exact location any damage type counts, because a close-up and a wide view may be classified differently.
  const exact = basis === 'view' ? hints.map(({ photo, box }) => findCandidate(photo, box)) : [];
  const related = hints.map((hint) => findCandidate(hint.photo, expand(hint), listRelatedTypes(finding)));
  return Math.max(0, ...exact, ...related);
}

/** Returns a predicate: does this inspection have a photo of the part on which a finding lies. */
function makeIsPartSeen({ data }: InspectionEnvelope): (finding: Finding) => boolean {
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
