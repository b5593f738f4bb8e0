import type { Photo } from '../../contract/inspection.ts';
import { type Box, closeUpRegion } from '../../domain/geometry.ts';
import type { ComparedPlace, Comparison } from '../../engine/compare/comparison.ts';
import type { CloseUp, PictureSource } from '../pictures.ts';

/** A place in one of the two visits: the picture around it and its box, pixels of the upright photo. */
interface ShownCut {
  readonly closeUp: CloseUp;
  readonly photo: Photo;
  readonly box: Box;
}

/** The cuts of the places of one visit; a place that its photos do not show has none. */
export type Cuts = ReadonlyMap<ComparedPlace, ShownCut>;

/** Long side of a cut, pixels. */
const MOST_SIDE = 420;

/** Returns whether a place is shown side by side: what changed, and what photos of both visits do not decide. */
export function isShown({ change, cuts }: ComparedPlace): boolean {
  return cuts !== null && change !== 'unchanged' && change !== 'probably_unchanged';
}

/**
 * Loads the cuts of one visit for every place that is shown: as it was found in both visits, so that the two cuts show
 * the same at about the same scale.
 */
export async function gatherCuts(
  { places }: Comparison,
  side: 'before' | 'after',
  source: PictureSource,
): Promise<Cuts> {
  const wanted = places.filter(isShown).flatMap((place) => {
    const at = place.cuts?.[side];
    return at ? [{ place, ...at, region: closeUpRegion(at.box, at.photo) }] : [];
  });
  const cuts = new Map<ComparedPlace, ShownCut>();
  for (const photo of new Set(wanted.map((one) => one.photo))) {
    const here = wanted.filter((one) => one.photo === photo);
    const crops = here.map(({ region }) => ({ region, maxSide: MOST_SIDE }));
    const loaded = await source.load(photo, { maxSide: MOST_SIDE, crops });
    if ('missing' in loaded) continue;
    for (const [at, { place, box, region }] of here.entries()) {
      const picture = loaded.crops[at];
      if (picture) cuts.set(place, { photo, box, closeUp: { picture, region, imageIndex: photo.index } });
    }
  }
  return cuts;
}
