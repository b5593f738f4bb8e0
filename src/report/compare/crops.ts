import type { Photo } from '../../contract/inspection.ts';
import type { VisitName } from '../../domain/compare/changes.ts';
import { area, type Box, clamp, clampToPixels, closeUpRegion, type Size } from '../../domain/geometry.ts';
import type { PhotoBox } from '../../engine/compare/album.ts';
import type { ComparedPlace, Comparison } from '../../engine/compare/comparison.ts';
import { groupBy } from '../../lib/lists.ts';
import { type CloseUp, loadCloseUps, type PictureSource } from '../pictures.ts';
import { isPair, isToPhotograph } from './select-places.ts';

/** A place in one of the two visits: its crop, and its bounding box in pixels of the upright photo. */
interface Crop {
  readonly closeUp: CloseUp;
  readonly photo: Photo;
  readonly box: Box;
}

/** Crops of one visit, keyed by place; a place without a usable photo has no entry. */
export type Crops = ReadonlyMap<ComparedPlace, Crop>;

/** Crops of both visits, with the note on redacted content. */
export interface ComparisonPictures extends Readonly<Record<VisitName, Crops>> {
  readonly redaction?: string | undefined;
}

/** Long sides of a photo, of which only the crops are shown, and of a crop in pixels. */
const SIDES_PX = { photo: 420, crop: 420 };

/** Computes both crop regions in pixels of their photos; they cover the same vehicle area, at the same scale. */
export function chooseRegions(boxes: NonNullable<ComparedPlace['boxes']>): Readonly<Record<VisitName, Box>> {
  const { before, after } = boxes;
  const scale = Math.sqrt(area(after.box) / area(before.box));
  const fits = ({ width, height }: Size) => Math.min(height, width / RATIO);
  const wanted = Math.max(
    closeUpRegion(before.box, before.photo).height,
    closeUpRegion(after.box, after.photo).height / scale,
  );
  const height = Math.min(wanted, fits(before.photo), fits(after.photo) / scale);
  return { before: cropAround(before, height), after: cropAround(after, height * scale) };
}

/** Aspect ratio of a crop, width to height. */
const RATIO = 4 / 3;

function cropAround({ box, photo }: PhotoBox, height: number): Box {
  const width = height * RATIO;
  const x = clamp(box.x + box.width / 2 - width / 2, 0, photo.width - width);
  const y = clamp(box.y + box.height / 2 - height / 2, 0, photo.height - height);
  return clampToPixels({ x, y, width, height }, photo);
}

/** Returns photo, bounding box and crop region of a place in one visit; null if no photo shows it. */
function chooseCrop({ boxes, ...place }: ComparedPlace, visit: VisitName, photos: readonly Photo[]) {
  if (boxes) return { ...boxes[visit], region: chooseRegions(boxes)[visit] };
  const [seen] = place[visit]?.evidence ?? [];
  const photo = photos.find(({ index }) => index === seen?.image_index);
  if (!seen || !photo) return null;
  return { photo, box: seen.coordinates, region: closeUpRegion(seen.coordinates, photo) };
}

/** Loads the crops of one visit for every place shown as a picture. */
export async function gatherCrops(of: Comparison, visit: VisitName, source: PictureSource): Promise<Crops> {
  const { images } = of[visit].data;
  const wanted = of.places
    .filter((place) => isPair(place) || isToPhotograph(place))
    .flatMap((place) => {
      const crop = chooseCrop(place, visit, images);
      return crop ? [{ place, ...crop }] : [];
    });
  const crops = new Map<ComparedPlace, Crop>();
  for (const [photo, ofPhoto] of groupBy(wanted, (one) => one.photo)) {
    const loaded = await loadCloseUps(photo, ofPhoto, source, SIDES_PX);
    if ('missing' in loaded) continue;
    for (const { place, box, closeUp } of loaded.closeUps) crops.set(place, { photo, box, closeUp });
  }
  return crops;
}
