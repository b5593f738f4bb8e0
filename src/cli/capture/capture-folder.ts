import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import type { PhotoFormat } from '../../domain/photo.ts';
import { hasPhotoExtension } from '../../images/find/extension.ts';
import { toReason, VehiError } from '../../lib/errors.ts';
import { makeFolder, takeFreeName, writeFileAtomic } from '../../lib/files.ts';
import { hashBytes } from '../../lib/ids.ts';
import { comparePaths, escapeName } from '../../lib/names.ts';

const EXTENSIONS: Readonly<Record<PhotoFormat, string>> = { jpeg: '.jpg', png: '.png', heic: '.heic' };
/** Folder of replaced photos, which `inspect` searches only with --recursive. */
const REPLACED = 'replaced';

/** Lists the slots a photo may belong to: `known_1` is one of its own, `damage_1` the first photo of `damage`. */
function listPossibleSlots(name: string): readonly string[] {
  const stem = parse(name).name;
  return [stem, stem.replace(/_\d+$/, '')];
}

/**
 * Opens the folder that receives the photos of a capture, creating it if missing. The folder is the only record: a
 * photo in it has been taken.
 * @throws VehiError usage OUTPUT_NOT_WRITABLE if it cannot be created
 */
export async function openCaptureFolder(path: string) {
  await makeFolder(path).catch((cause: unknown) => {
    const message = `cannot make the folder ${escapeName(path)}: ${toReason(cause)}`;
    throw new VehiError('usage', 'OUTPUT_NOT_WRITABLE', message, { cause });
  });
  const names = new Set((await readdir(path)).filter(hasPhotoExtension));
  const list = (slot: string): readonly string[] =>
    [...names].filter((name) => listPossibleSlots(name).includes(slot)).sort(comparePaths);
  const keepCopies = async (replaced: readonly string[]) => {
    const folder = join(path, REPLACED);
    if (replaced.length > 0) await makeFolder(folder);
    for (const name of replaced) {
      const taken = new Set((await readdir(folder)).map((one) => one.toLowerCase()));
      const bytes = await readFile(join(path, name));
      await writeFileAtomic(join(folder, takeFreeName(name, taken)), bytes, { flush: true });
    }
  };
  return {
    list,
    get photoCount(): number {
      return names.size;
    },
    /**
     * Stores a photo under the name of its slot and waits until it is on disk. Storing the same bytes again changes
     * nothing; a replaced photo moves to `replaced`. Whatever fails, and whenever the process is killed, the slot keeps
     * the earlier photo until the new one takes its place.
     */
    async store(
      slot: string,
      { bytes, format }: { readonly bytes: Uint8Array; readonly format: PhotoFormat },
      takesSeveral: boolean,
    ): Promise<string> {
      const digest = hashBytes(bytes);
      const earlier = list(slot);
      for (const name of earlier) {
        if (hashBytes(await readFile(join(path, name))) === digest) return name;
      }
      const number = Math.max(0, ...earlier.map((name) => Number(/_(\d+)\.\w+$/.exec(name)?.[1] ?? 1))) + 1;
      const name = `${slot}${takesSeveral ? `_${number}` : ''}${EXTENSIONS[format]}`;
      const replaced = takesSeveral ? [] : earlier;
      const beforeRename = () => keepCopies(replaced);
      await writeFileAtomic(join(path, name), bytes, { flush: true, beforeRename });
      names.add(name);
      for (const old of replaced.filter((one) => one !== name)) {
        // Where case does not count, `front.JPG` is the new `front.jpg`.
        const [one, other] = await Promise.all([old, name].map((each) => stat(join(path, each))));
        if (one?.ino !== other?.ino) await rm(join(path, old));
        names.delete(old);
      }
      return name;
    },
  };
}

export type CaptureFolder = Awaited<ReturnType<typeof openCaptureFolder>>;
