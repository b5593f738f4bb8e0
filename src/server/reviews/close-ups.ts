import type { Photo, VisualInspection } from '../../contract/inspection.ts';
import { keepBestOfPhoto } from '../../domain/damage.ts';
import { type Box, closeUpRegion } from '../../domain/geometry.ts';
import { listFinds } from '../../report/input.ts';
import { closeUpName } from './view-names.ts';

/** A region round a find, in pixels of the upright photo, and the file that shows it. */
interface KeptCloseUp {
  readonly name: string;
  readonly region: Box;
}

/** Long side up to which the view of a photo is as sharp as the photo, pixels. */
const SHARP_IN_VIEW = 2048;
/** About 100 kB each. */
const CLOSE_UPS_MAX = 100;

/** Returns the close-ups that are kept of each photo, by its index: most severe first, places to check last. */
export function listCloseUps(inspection: VisualInspection): ReadonlyMap<number, readonly KeptCloseUp[]> {
  const byPhoto = new Map<number, KeptCloseUp[]>();
  const sharper = new Map<number, Photo>(
    inspection.images
      .filter(({ width, height }) => Math.max(width, height) > SHARP_IN_VIEW)
      .map((photo) => [photo.index, photo]),
  );
  let left = CLOSE_UPS_MAX;
  for (const { damage_id: id, evidence } of listFinds(inspection)) {
    for (const { image_index: index, coordinates } of keepBestOfPhoto(evidence)) {
      const photo = sharper.get(index);
      if (!photo || left-- <= 0) continue;
      const kept = byPhoto.get(index) ?? [];
      kept.push({ name: closeUpName(id, index), region: closeUpRegion(coordinates, photo) });
      byPhoto.set(index, kept);
    }
  }
  return byPhoto;
}
