import type { Damage, InspectionEnvelope, Photo } from '../../contract/inspection.ts';
import { mapInOrder } from '../../lib/map-in-order.ts';
import type { Visit } from './album.ts';
import { compareInliers, type PhotoBox, type PlaceHint, type PlaceMatch } from './place-match.ts';
import { hintByParts, type PlaceSearch } from './place-search.ts';

export const SIDES = ['before', 'after'] as const;
export type Side = (typeof SIDES)[number];
export type Visits = Readonly<Record<Side, Visit>>;

export const opposite = (side: Side): Side => (side === 'before' ? 'after' : 'before');

/** A damage or place to check of one visit, with its box in each photo that shows it. */
interface ListedFinding {
  readonly side: Side;
  readonly damage: Damage;
  readonly certain: boolean;
  readonly places: readonly PhotoBox[];
}

/** A finding of one visit with its matches in the other, most inliers first; coarse ones only if there are no others. */
export interface Finding extends ListedFinding {
  readonly matches: readonly PlaceMatch[];
  readonly coarseMatches: readonly PlaceMatch[];
  /** Approximate locations in the other visit, from the parts or the view as a whole. */
  readonly hints: readonly PlaceHint[];
}

/** Damage types that the same damage may be detected as, depending on the light. */
const RELATED_TYPES: readonly (readonly string[])[] = [
  ['scratch', 'paint_damage', 'rust'],
  ['dent', 'panel_damage', 'crack'],
  ['glass_damage', 'lamp_damage'],
];

export function listRelatedTypes({ damage: { type } }: Finding): readonly string[] {
  return RELATED_TYPES.find((group) => group.includes(type)) ?? [type];
}

/** Findings searched in parallel, so worker threads open photos while others are matched. */
const MAX_PARALLEL = 4;

/** Searches the other visit's photos for every finding of both visits; without `search`, by parts alone. */
export async function searchFindings(visits: Visits, search: PlaceSearch | null): Promise<Finding[]> {
  const listed = SIDES.flatMap((side) => listFindings(side, visits[side].inspection));
  const findings = await mapInOrder(listed, MAX_PARALLEL, undefined, async (finding): Promise<Finding> => {
    const pair = { source: visits[finding.side], target: visits[opposite(finding.side)] };
    const matches: PlaceMatch[] = [];
    const coarseMatches: PlaceMatch[] = [];
    const hints: PlaceHint[] = [];
    for (const place of finding.places) {
      const result = await search?.findPlace(pair, place, listOtherBoxes(place.photo, finding, listed));
      matches.push(...(result?.matches ?? []));
      coarseMatches.push(...(result?.coarseMatches ?? []));
      hints.push(...(result?.hints ?? []));
      if (!result || result.matches.length + result.hints.length === 0)
        hints.push(...hintByParts(place, pair.target));
    }
    matches.sort(compareInliers);
    coarseMatches.sort(compareInliers);
    return { ...finding, matches, coarseMatches: matches.length > 0 ? [] : coarseMatches, hints };
  });
  return findings.filter((finding) => finding !== null);
}

function listFindings(side: Side, { data: { results, images } }: InspectionEnvelope): ListedFinding[] {
  const photos = new Map(images.map((photo) => [photo.index, photo]));
  const toFinding = (certain: boolean) => (damage: Damage) => ({
    side,
    damage,
    certain,
    places: damage.evidence.flatMap(({ image_index: index, coordinates: box }) => {
      const photo = photos.get(index);
      return photo ? [{ photo, box }] : [];
    }),
  });
  return [
    ...(results?.damages ?? []).map(toFinding(true)),
    ...(results?.to_check ?? []).map(toFinding(false)),
  ];
}

/** Lists the boxes of the visit's other findings in a photo. */
function listOtherBoxes(photo: Photo, { side, damage }: ListedFinding, listed: readonly ListedFinding[]) {
  return listed
    .filter((other) => other.side === side && other.damage !== damage)
    .flatMap(({ places }) => places.filter((place) => place.photo === photo).map(({ box }) => box));
}
