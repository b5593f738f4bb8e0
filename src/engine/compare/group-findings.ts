import { iou, isSamePlace } from '../../domain/geometry.ts';
import { type Finding, listRelatedTypes, type Side } from './findings.ts';
import { listAddedAreas } from './growth.ts';
import type { PhotoBox, PlaceMatch } from './place-match.ts';

/** The findings of both visits at one location. */
export interface FindingGroup extends Partial<Record<Side, Finding | undefined>> {
  readonly findings: readonly Finding[];
  /** Matches of the area by which the later finding exceeds the earlier one. */
  readonly addedAreas: readonly PlaceMatch[];
}

/** Groups the findings of both visits by location. */
export function groupFindings(findings: readonly Finding[]): FindingGroup[] {
  return pairFindings(findings).map((group) => {
    const before = group.find(({ side }) => side === 'before');
    const after = group.find(({ side }) => side === 'after');
    const addedAreas = before && after ? listAddedAreas(after.matches, before.places) : [];
    return { before, after, findings: group, addedAreas };
  });
}

/** Pairs findings of both visits at the same location, best overlap first; each finding is used once. */
function pairFindings(findings: readonly Finding[]): Finding[][] {
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

function coincide(places: readonly PhotoBox[], others: readonly PhotoBox[]): boolean {
  return places.some((one) =>
    others.some((other) => one.photo.sha256 === other.photo.sha256 && isSamePlace(one.box, other.box)),
  );
}

/** Scores how well two findings coincide; 0 if they are at different locations. */
function computeOverlap(one: Finding, other: Finding): number {
  const best = (from: Finding, to: Finding) => {
    const registered = [...from.matches.map((view) => view.target), ...from.places];
    return Math.max(0, ...registered.flatMap((place) => overlapsAt(place, to)));
  };
  const registered = Math.max(best(one, other), best(other, one));
  if (registered > 0) return 1 + registered;
  const isRelated = listRelatedTypes(one).includes(other.damage.type);
  return isRelated && (coincide(one.hints, other.places) || coincide(other.hints, one.places)) ? 1 : 0;
}

function overlapsAt({ photo, box }: PhotoBox, { places }: Finding): number[] {
  return places
    .filter((place) => place.photo.sha256 === photo.sha256 && isSamePlace(place.box, box))
    .map((place) => iou(place.box, box));
}
