import type { Photo, VisualInspection } from '../../contract/inspection.ts';
import { keepBestOfPhoto } from '../../domain/damage.ts';
import { type Box, closeUpRegion } from '../../domain/geometry.ts';
import { REVIEW_SIDE } from '../../domain/photo.ts';
import { DAY_MS } from '../../lib/durations.ts';
import { listFindings } from '../../report/finding-rows.ts';
import type { Store } from '../../storage/ports.ts';
import { removeFilesOf } from '../../storage/removal.ts';
import { isView, nameCloseUp, nameThumbnail, nameView, type PhotoViews } from '../photo-files.ts';
import type { Services } from '../services.ts';

/** A crop around a finding, in pixels of the upright photo, and its file. */
interface StoredCloseUp {
  readonly name: string;
  readonly region: Box;
}

/** Maximum close-ups per inspection, about 100 kB each. */
const MAX_CLOSE_UPS = 100;

/** Lists the close-ups to store for each photo, by photo index: most severe first, findings to check last. */
export function listCloseUps(inspection: VisualInspection): ReadonlyMap<number, readonly StoredCloseUp[]> {
  const byPhoto = new Map<number, StoredCloseUp[]>();
  const largePhotos = new Map<number, Photo>(
    inspection.images
      .filter(({ width, height }) => Math.max(width, height) > REVIEW_SIDE)
      .map((photo) => [photo.index, photo]),
  );
  let remaining = MAX_CLOSE_UPS;
  for (const { damage_id: id, evidence } of listFindings(inspection)) {
    for (const { image_index: index, coordinates } of keepBestOfPhoto(evidence)) {
      const photo = largePhotos.get(index);
      if (!photo || remaining-- <= 0) continue;
      const closeUps = byPhoto.get(index) ?? [];
      closeUps.push({ name: nameCloseUp(id, index), region: closeUpRegion(coordinates, photo) });
      byPhoto.set(index, closeUps);
    }
  }
  return byPhoto;
}

/**
 * Creates the view keeper of an inspection, whose views carry no EXIF or GPS and outlive the photos. Returns null if no
 * views are wanted, or if the inspection has no results or no photos, or was deleted.
 */
export async function createViewKeeper(
  inspection: VisualInspection,
  keepDays: number,
  { store, clock }: Services,
) {
  const { inspection_id: id } = inspection;
  if (keepDays === 0 || !inspection.results || inspection.images.length === 0) return null;
  if (!(await store.reviews.recordViews(id, clock.wallMs()))) return null;
  const closeUps = listCloseUps(inspection);
  return {
    /** Lists the crop regions of a photo in pixels of the upright photo. */
    listRegions: (index: number): readonly Box[] => (closeUps.get(index) ?? []).map(({ region }) => region),
    /** Stores the views of a photo. */
    async keep(index: number, views: PhotoViews) {
      await store.blobs.put(id, nameView(index), views.view);
      await store.blobs.put(id, nameThumbnail(index), views.thumbnail);
      for (const [position, { name }] of (closeUps.get(index) ?? []).entries()) {
        const bytes = views.closeUps[position];
        if (bytes) await store.blobs.put(id, name, bytes);
      }
    },
  };
}

export async function sweepViews(nowMs: number, keepDays: number, store: Store): Promise<void> {
  const ids = await store.reviews.listViewsBefore(nowMs - keepDays * DAY_MS);
  for (const id of ids) await removeFilesOf(id, isView, store);
  if (ids.length > 0) await store.reviews.deleteViews(ids);
}
