import type { Photo } from '../../contract/inspection.ts';
import { area, type Box, clamp, clampToPixels, closeUpRegion, type Size } from '../../domain/geometry.ts';
import type { ComparedPlace, Comparison } from '../../engine/compare/comparison.ts';
import type { OwnPlace } from '../../engine/compare/look-again.ts';
import type { CloseUp, PictureSource } from '../pictures.ts';

type Side = 'before' | 'after';

/** A place in one of the two visits: the picture around it and its box, pixels of the upright photo. */
interface ShownCut {
  readonly closeUp: CloseUp;
  readonly photo: Photo;
  readonly box: Box;
}

/** The cuts of the places of one visit; a place that its photos do not show has none. */
export type Cuts = ReadonlyMap<ComparedPlace, ShownCut>;

/** The cuts of both visits, with what was made unrecognisable in them. */
export interface ComparisonPictures {
  readonly before: Cuts;
  readonly after: Cuts;
  readonly redaction?: string | undefined;
}

/** Long side of a cut, pixels. */
const MOST_SIDE = 420;

/** Returns whether a place is shown side by side: what changed, what the photos do not decide, and what a person decided. */
export function isShown({ change, decided }: ComparedPlace): boolean {
  return decided !== undefined || (change !== 'unchanged' && change !== 'probably_unchanged');
}

/** Returns what the cut of each visit shows, in pixels of its photo: the same of the vehicle, so at one scale. */
export function chooseRegions(cuts: NonNullable<ComparedPlace['cuts']>): Readonly<Record<Side, Box>> {
  const { before, after } = cuts;
  const scale = Math.sqrt(area(after.box) / area(before.box));
  const fits = ({ width, height }: Size) => Math.min(height, width / RATIO);
  const wanted = Math.max(
    closeUpRegion(before.box, before.photo).height,
    closeUpRegion(after.box, after.photo).height / scale,
  );
  const height = Math.min(wanted, fits(before.photo), fits(after.photo) / scale);
  return { before: cutAround(before, height), after: cutAround(after, height * scale) };
}

/** Width by height of a cut. */
const RATIO = 4 / 3;

function cutAround({ box, photo }: OwnPlace, height: number): Box {
  const width = height * RATIO;
  const x = clamp(box.x + box.width / 2 - width / 2, 0, photo.width - width);
  const y = clamp(box.y + box.height / 2 - height / 2, 0, photo.height - height);
  return clampToPixels({ x, y, width, height }, photo);
}

/** Returns a place in a photo of one visit, where it was found in both or that visit lists it, and what its cut shows. */
function chooseCut({ cuts, ...place }: ComparedPlace, side: Side, photos: readonly Photo[]) {
  if (cuts) return { ...cuts[side], region: chooseRegions(cuts)[side] };
  const [seen] = place[side]?.evidence ?? [];
  const photo = photos.find(({ index }) => index === seen?.image_index);
  if (!seen || !photo) return null;
  return { photo, box: seen.coordinates, region: closeUpRegion(seen.coordinates, photo) };
}

/** Loads the cuts of one visit for every place that is shown. */
export async function gatherCuts(comparison: Comparison, side: Side, source: PictureSource): Promise<Cuts> {
  const { images } = comparison[side].data;
  const wanted = comparison.places.filter(isShown).flatMap((place) => {
    const cut = chooseCut(place, side, images);
    return cut ? [{ place, ...cut }] : [];
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
