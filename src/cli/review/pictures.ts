import pLimit from 'p-limit';
import type { Photo } from '../../contract/inspection.ts';
import type { Box } from '../../domain/geometry.ts';
import { createPhotoStudio } from '../../images/draw/photo-studio.ts';
import { VehiError } from '../../lib/errors.ts';
import type { RenderedPhoto } from '../../server/result-page.ts';
import type { Reviewing } from './reviewing.ts';

/** Parallel decodes; libvips runs off the main thread. */
const CONCURRENCY = 2;

/** Opens the pictures of a page: made on request, those of whole photos kept in memory until the review ends. */
export function openPictures({ readBytes }: Pick<Reviewing, 'readBytes'>) {
  const studio = createPhotoStudio();
  const limit = pLimit(CONCURRENCY);
  const views = new Map<string, Promise<RenderedPhoto>>();

  async function render(photo: Photo, side: number, region?: Box): Promise<RenderedPhoto> {
    const found = await readBytes(photo);
    if ('missing' in found) return found;
    try {
      const opened = await studio.open({ kind: 'bytes', bytes: found.bytes, name: photo.url });
      if (region === undefined) return (await opened.pictures({ maxSide: side, crops: [] })).photo;
      const { crops } = await opened.pictures({ maxSide: 16, crops: [{ region, maxSide: side }] });
      return crops[0] ?? { missing: 'the region cannot be cut out.' };
    } catch (error) {
      if (error instanceof VehiError) return { missing: error.message };
      throw error;
    }
  }

  return {
    /** A missing photo is tried again on the next request. */
    async renderPhoto(photo: Photo, side: number): Promise<RenderedPhoto> {
      const key = `${photo.index} ${side}`;
      const rendering = views.get(key) ?? limit(() => render(photo, side));
      views.set(key, rendering);
      const rendered = await rendering;
      if ('missing' in rendered) views.delete(key);
      return rendered;
    },
    renderCrop: (photo: Photo, region: Box, side: number) => limit(() => render(photo, side, region)),
    async close() {
      await Promise.allSettled(views.values());
      await studio.close();
    },
  };
}
