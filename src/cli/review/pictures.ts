import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Photo } from '../../contract/inspection.ts';
import type { Box } from '../../domain/geometry.ts';
import { REVIEW_SIDE } from '../../domain/photo.ts';
import { createPhotoStudio } from '../../images/draw/photo-studio.ts';
import { VehiError } from '../../lib/errors.ts';
import type { OneResult, RenderedPhoto } from '../../server/result-page.ts';
import type { Reviewing } from './reviewing.ts';

/** Pictures for the page, created on request and cached in a folder until the review ends. */
type PagePictures = OneResult['pictures'] & {
  /** Creates the views of these photos in the background while no requests are pending. */
  prepare(photos: readonly Photo[]): void;
  close(): Promise<void>;
};

const IDLE_CHECK_MS = 20;
/** Parallel decodes; libvips runs off the main thread. */
const CONCURRENCY = 2;

/** Opens the picture cache of a page. */
export function openPictures({ readBytes }: Pick<Reviewing, 'readBytes'>): PagePictures {
  const studio = createPhotoStudio();
  const limit = pLimit(CONCURRENCY);
  let folder: Promise<string> | undefined;
  let isClosed = false;
  let preparation: Promise<void> = Promise.resolve();
  /** Reason for each missing picture, keyed by path; null if the picture exists. */
  const renders = new Map<string, Promise<{ readonly missing: string } | null>>();

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

  /** Creates a picture once and caches it as a file; a missing photo is tried again on the next request. */
  async function renderCached(photo: Photo, side: number): Promise<RenderedPhoto> {
    folder ??= mkdtemp(join(tmpdir(), 'vehi-page-')).catch((error: unknown) => {
      folder = undefined;
      throw error;
    });
    const path = join(await folder, `${photo.index}-${side}.jpg`);
    const rendering = renders.get(path) ?? limit(() => write(photo, side, path));
    renders.set(path, rendering);
    rendering.then((why) => why && renders.delete(path)).catch(() => renders.delete(path));
    return (await rendering) ?? { jpeg: await readFile(path) };
  }

  async function write(
    photo: Photo,
    side: number,
    path: string,
  ): Promise<{ readonly missing: string } | null> {
    const rendered = await render(photo, side);
    if ('missing' in rendered) return rendered;
    await writeFile(path, rendered.jpeg, { mode: 0o600 });
    return null;
  }

  async function prepareAll(photos: readonly Photo[]): Promise<void> {
    for (const photo of photos) {
      // Requests of the page take precedence.
      while (!isClosed && limit.activeCount + limit.pendingCount > 0) await sleep(IDLE_CHECK_MS);
      if (isClosed) return;
      // The reason for a missing picture is reported when it is requested.
      await renderCached(photo, REVIEW_SIDE).catch(() => undefined);
    }
  }

  return {
    renderPhoto: renderCached,
    prepare(photos) {
      preparation = prepareAll(photos);
    },
    renderCrop: (photo, region, side) => limit(() => render(photo, side, region)),
    async close() {
      isClosed = true;
      await preparation;
      await Promise.allSettled(renders.values());
      await studio.close();
      if (folder) await rm(await folder, { recursive: true, force: true });
    },
  };
}
