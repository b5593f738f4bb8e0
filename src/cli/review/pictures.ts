import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Photo } from '../../contract/inspection.ts';
import type { Box } from '../../domain/geometry.ts';
import { createPhotoStudio } from '../../images/draw/photo-studio.ts';
import { VehiError } from '../../lib/errors.ts';
import type { Shown } from '../../server/one-result.ts';
import type { Reviewing } from './reviewing.ts';

/** Pictures for the page, made when asked for and kept in a folder until the review ends. */
export interface PagePictures {
  /** @param side pixels of the long side at most */
  whole(photo: Photo, side: number): Promise<Shown>;
  /**
   * Makes the views of these photos whenever nothing else is asked for, so that they are there when they are asked for.
   */
  makeAhead(photos: readonly Photo[]): void;
  /** A region in pixels of the upright photo, no larger than `side`. */
  cut(photo: Photo, region: Box, side: number): Promise<Shown>;
  close(): Promise<void>;
}

/** Long side of the pictures that a photo is reviewed by, pixels. */
const VIEW_SIDE = 2048;
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
  const made = new Map<string, Promise<Shown>>();

  async function make(photo: Photo, side: number, region?: Box): Promise<Shown> {
    const found = await readBytes(photo);
    if ('missing' in found) return found;
    try {
      const opened = await studio.open({ kind: 'bytes', bytes: found.bytes, name: photo.url });
      if (region === undefined) {
        const { photo: picture } = await opened.pictures({ maxSide: side, crops: [] });
        return picture;
      }
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
    const known = made.get(path);
    if (known !== undefined) {
      const shown = await known;
      if ('jpeg' in shown) return { jpeg: await readFile(path) };
    }
    const making = limit(() => make(photo, side)).then(async (shown) => {
      if ('jpeg' in shown) await writeFile(path, shown.jpeg, { mode: 0o600 });
      else made.delete(path);
      return shown;
    });
    // The pixels are not kept: only that the file is there.
    const note = making.then((shown) => ('jpeg' in shown ? { jpeg: new Uint8Array() } : shown));
    note.catch(() => made.delete(path));
    made.set(path, note);
    return making;
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
