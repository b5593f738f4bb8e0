import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Photo } from '../../contract/inspection.ts';
import type { Box } from '../../domain/geometry.ts';
import { VIEW_SIDE } from '../../domain/photo.ts';
import { createPhotoStudio } from '../../images/draw/photo-studio.ts';
import { VehiError } from '../../lib/errors.ts';
import type { OneResult, Shown } from '../../server/one-result.ts';
import type { Reviewing } from './reviewing.ts';

/** Pictures for the page, made when asked for and kept in a folder until the review ends. */
type PagePictures = OneResult['pictures'] & {
  /** Makes the views of these photos whenever nothing else is asked for, so that they are there when they are. */
  makeAhead(photos: readonly Photo[]): void;
  close(): Promise<void>;
};

const IDLE_CHECK_MS = 20;
/** Decodes in flight: libvips works outside the main thread. */
const AT_ONCE = 2;

/** Opens the pictures of a page; a picture is made when first asked for. */
export function openPictures({ readBytes }: Pick<Reviewing, 'readBytes'>): PagePictures {
  const studio = createPhotoStudio();
  const limit = pLimit(AT_ONCE);
  let folder: Promise<string> | undefined;
  let closed = false;
  let ahead: Promise<void> = Promise.resolve();
  /** Of each file why there is none; null where there is one. */
  const made = new Map<string, Promise<{ readonly missing: string } | null>>();

  async function make(photo: Photo, side: number, region?: Box): Promise<Shown> {
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

  /** Makes a picture once and keeps it as a file; a photo that is missing may be back the next time. */
  async function kept(photo: Photo, side: number): Promise<Shown> {
    folder ??= mkdtemp(join(tmpdir(), 'vehi-page-'));
    const path = join(await folder, `${photo.index}-${side}.jpg`);
    const making = made.get(path) ?? limit(() => write(photo, side, path));
    made.set(path, making);
    making.then((why) => why && made.delete(path)).catch(() => made.delete(path));
    return (await making) ?? { jpeg: await readFile(path) };
  }

  async function write(
    photo: Photo,
    side: number,
    path: string,
  ): Promise<{ readonly missing: string } | null> {
    const shown = await make(photo, side);
    if ('missing' in shown) return shown;
    await writeFile(path, shown.jpeg, { mode: 0o600 });
    return null;
  }

  async function makeAll(photos: readonly Photo[]): Promise<void> {
    for (const photo of photos) {
      // What the page asks for goes first.
      while (!closed && limit.activeCount + limit.pendingCount > 0) await sleep(IDLE_CHECK_MS);
      if (closed) return;
      // Why a photo has no picture is reported when it is requested.
      await kept(photo, VIEW_SIDE).catch(() => undefined);
    }
  }

  return {
    whole: kept,
    makeAhead(photos) {
      ahead = makeAll(photos);
    },
    cut: (photo, region, side) => limit(() => make(photo, side, region)),
    async close() {
      closed = true;
      await ahead;
      await Promise.allSettled(made.values());
      await studio.close();
      if (folder) await rm(await folder, { recursive: true, force: true });
    },
  };
}
