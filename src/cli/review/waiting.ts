import type { WaitingPhoto } from '../../contract/review.ts';
import type { InspectEvent, PhotoInput } from '../../engine/request.ts';
import { createPhotoStudio } from '../../images/draw/photo-studio.ts';
import type { CliContext } from '../terminal/context.ts';
import { type Door, openDoor } from './door.ts';
import type { ReviewFlags } from './flags.ts';
import { answerError, answerJson, type Route } from './page-server.ts';

/** The page of a review whose inspection is still running. */
export interface WaitingPage {
  /** Serves it; to be called once, when it is known what is inspected. */
  open(vehicleId: string, photos: readonly PhotoInput[]): Promise<void>;
  /** Receives the state of the inspection. */
  readonly onEvent: (event: InspectEvent) => void;
  /** The door, for the review to take over; null where it was not opened. */
  door(): Door | null;
  /** Ends the page where no review followed. */
  close(): Promise<void>;
}

/** Long side of the pictures shown meanwhile, pixels. */
const SIDE = 320;

/** Creates the page that shows photos while they are analysed. */
export function createWaitingPage(
  flags: Pick<ReviewFlags, 'host' | 'port' | 'allowHost' | 'open'>,
  ctx: CliContext,
): WaitingPage {
  const studio = createPhotoStudio();
  const states: WaitingPhoto[] = [];
  let door: Door | null = null;
  const set = (url: string, change: Partial<WaitingPhoto>) => {
    const index = states.findIndex((one) => one.url === url && one.state === 'waiting');
    const before = states[index];
    if (!before) return;
    const next = { ...before, ...change };
    states[index] = next;
    door?.events.send({ kind: 'photo', index, ...next });
  };
  return {
    async open(vehicleId, photos) {
      states.push(...photos.map(({ url }) => ({ url, state: 'waiting' as const, sightings: 0 })));
      door = await openDoor(flags, ctx);
      const { sessions } = door;
      const picture: Route = {
        method: 'GET',
        path: /^\/w\/([\w-]+)\/(\d+)\.jpg$/,
        open: true,
        async answer({ params: [session = '', index = ''] }) {
          const photo = photos[Number(index)];
          if (!sessions.showsPictures(session) || !photo)
            return answerError(404, 'NOT_FOUND', 'there is no such picture.');
          const { photo: shown } = await (await studio.open(photo.source)).pictures({
            maxSide: SIDE,
            crops: [],
          });
          return { type: 'image/jpeg', body: shown.jpeg };
        },
      };
      const state: Route = {
        method: 'GET',
        path: /^\/api\/review$/,
        answer: async () => answerJson({ vehicle_id: vehicleId, waiting: states }, 202),
      };
      door.serve([state, picture]);
      await door.invite();
    },
    onEvent(event) {
      if (event.kind === 'photo_rejected') set(event.url, { state: 'rejected' });
      if (event.kind === 'photo_done') set(event.url, { state: 'done', sightings: event.damages });
    },
    door: () => door,
    async close() {
      await door?.close('The inspection produced no result to review.');
      await studio.close();
    },
  };
}
