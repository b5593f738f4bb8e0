import pLimit from 'p-limit';
import type { Photo } from '../../contract/inspection.ts';
import type { Box } from '../../domain/geometry.ts';
import { REVIEW_SIDE } from '../../domain/photo.ts';
import type { RenderedPhoto } from '../../server/result-page.ts';
import { openRedaction } from '../outputs/redaction.ts';
import { makeFilePictures } from '../outputs/report-pictures.ts';
import type { Reviewing } from './reviewing.ts';

/** Parallel decodes; libvips runs off the main thread. */
const CONCURRENCY = 2;

/** Opens the pictures of a page; pictures of whole photos stay in memory until the review ends. */
export function openPictures(reviewing: Reviewing) {
  const noRedaction = openRedaction({ value: 'off', source: 'default' }, reviewing.ctx);
  const files = makeFilePictures(reviewing, reviewing.photosFolder, noRedaction);
  const limit = pLimit(CONCURRENCY);
  const views = new Map<string, Promise<RenderedPhoto>>();
  let isClosed = false;

  async function render(photo: Photo, side: number, region?: Box): Promise<RenderedPhoto> {
    const wanted = region
      ? { maxSide: 16, crops: [{ region, maxSide: side }] }
      : { maxSide: side, crops: [] };
    const loaded = await files.load(photo, wanted);
    if ('missing' in loaded) return loaded;
    return region ? (loaded.crops[0] ?? { missing: 'the region cannot be cut out.' }) : loaded.photo;
  }

  async function renderPhoto(photo: Photo, side: number): Promise<RenderedPhoto> {
    const key = `${photo.index} ${side}`;
    const rendering = views.get(key) ?? limit(() => render(photo, side));
    views.set(key, rendering);
    // A missing or failed picture is rendered again on the next request.
    const rendered = await rendering.catch(() => undefined);
    if (!rendered || 'missing' in rendered) views.delete(key);
    return rendering;
  }

  return {
    renderPhoto,
    /** Renders the views one at a time, so that they delay neither the page nor its saves. */
    async prepare(photos: readonly Photo[]): Promise<void> {
      for (const photo of photos) if (!isClosed) await renderPhoto(photo, REVIEW_SIDE).catch(() => undefined);
    },
    renderCrop: (photo: Photo, region: Box, side: number) => limit(() => render(photo, side, region)),
    async close() {
      isClosed = true;
      await Promise.allSettled(views.values());
      await files.close();
    },
  };
}
