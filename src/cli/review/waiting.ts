import type { WaitingPhoto } from '../../contract/review.ts';
import { THUMBNAIL_SIDE } from '../../domain/photo.ts';
import type { InspectEvent, PhotoInput } from '../../engine/request.ts';
import { createPhotoStudio } from '../../images/draw/photo-studio.ts';
import type { CliContext } from '../terminal/context.ts';
import { type CommandPage, openCommandPage } from './page.ts';

/** Review page of a running inspection. */
export interface WaitingPage {
  /** Serves the page; call once, when the photos are known. */
  open(vehicleId: string, photos: readonly PhotoInput[]): Promise<void>;
  /** Receives progress events of the inspection. */
  readonly onEvent: (event: InspectEvent) => void;
  /** Returns the page for the review; null if it was not opened. */
  page(): CommandPage | null;
  /** Closes the page if no review followed. */
  close(): Promise<void>;
}

/** Creates the page that shows photos while they are analysed. */
export function createWaitingPage(ctx: CliContext): WaitingPage {
  const studio = createPhotoStudio();
  let states: WaitingPhoto[] = [];
  let page: CommandPage | null = null;
  const set = (url: string, change: Partial<WaitingPhoto>) => {
    const index = states.findIndex((one) => one.url === url && one.state === 'waiting');
    const before = states[index];
    if (!before) return;
    states[index] = { ...before, ...change };
    page?.updatePhoto(index, states[index]);
  };
  return {
    async open(vehicleId, photos) {
      states = photos.map(({ url }) => ({ url, state: 'waiting' as const, sightings: 0 }));
      page = await openCommandPage({}, ctx);
      page.showPhotos(states, vehicleId, async (index) => {
        const given = photos[index];
        if (!given) return { missing: 'There is no such photo.' };
        const opened = await studio.open(given.source);
        return (await opened.pictures({ maxSide: THUMBNAIL_SIDE, crops: [] })).photo;
      });
      await page.invite();
    },
    onEvent(event) {
      if (event.kind === 'photo_rejected') set(event.url, { state: 'rejected' });
      if (event.kind === 'photo_done') set(event.url, { state: 'done', sightings: event.damages });
    },
    page: () => page,
    async close() {
      await page?.close('The inspection produced no result to review.');
      await studio.close();
    },
  };
}
