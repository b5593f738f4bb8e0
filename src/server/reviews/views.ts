import type { VisualInspection } from '../../contract/inspection.ts';
import type { Store } from '../../storage/ports.ts';
import type { PhotoFile } from '../ports.ts';
import type { Services } from '../services.ts';
import { closeUpsOf } from './close-ups.ts';
import { isView, thumbnailName, viewName } from './view-names.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * Keeps small pictures of the photos of an inspection, without EXIF or GPS, so that it can be reviewed when the photos
 * are gone. That they cannot be made is logged; the inspection is complete without them.
 */
export async function keepViews(
  inspection: VisualInspection,
  photos: readonly PhotoFile[],
  { store, programs, clock, settings, log }: Services,
): Promise<void> {
  const { inspection_id: id } = inspection;
  if (settings.keepViewsDays === 0 || photos.length === 0) return;
  try {
    await store.reviews.keepViews(id, clock.wallMs());
    const wanted = closeUpsOf(inspection);
    for (const photo of photos) {
      const here = wanted.get(photo.index) ?? [];
      const regions = here.map(({ region }) => region);
      const { view, thumbnail, closeUps } = await programs.artifacts.views(photo, regions);
      await store.blobs.put(id, viewName(photo.index), view);
      await store.blobs.put(id, thumbnailName(photo.index), thumbnail);
      for (const [turn, { name }] of here.entries()) {
        const bytes = closeUps[turn];
        if (bytes) await store.blobs.put(id, name, bytes);
      }
    }
  } catch (error) {
    log.error({ inspection: id, err: error }, 'views for the review could not be kept');
  }
}

/** Removes views that are past their time. */
export async function sweepViews(nowMs: number, keepDays: number, store: Store): Promise<void> {
  const ids = await store.reviews.viewsBefore(nowMs - keepDays * DAY_MS);
  for (const id of ids) {
    const names = await store.blobs.list(id);
    for (const name of names.filter(isView)) await store.blobs.remove(id, name);
  }
  if (ids.length > 0) await store.reviews.forgetViews(ids);
}
