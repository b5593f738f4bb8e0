import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { PhotoFormat } from '../../domain/photo.ts';
import { makeFolder, takeFreeName, writeFileAtomic } from '../../lib/files.ts';
import { hashBytes } from '../../lib/ids.ts';
import { comparePaths } from '../../lib/names.ts';

const EXTENSIONS: Readonly<Record<PhotoFormat, string>> = { jpeg: '.jpg', png: '.png', heic: '.heic' };
/** Folder of replaced photos; `inspect` does not search subfolders of the folder it is given. */
const REPLACED = 'replaced';

/**
 * Opens the folder that receives the photos of a capture, creating it if missing. The folder is the only record: a
 * photo in it has been taken.
 */
export async function openCaptureFolder(path: string) {
  await makeFolder(path);
  const names = new Set((await readdir(path)).filter((name) => /\.(jpe?g|png|heic)$/i.test(name)));
  /** Lists the file names of a slot. */
  const list = (slot: string): readonly string[] =>
    [...names]
      .filter((name) => name.replace(/(_\d+)?\.\w+$/, '') === slot || name.replace(/\.\w+$/, '') === slot)
      .sort(comparePaths);
  const setAside = async (name: string) => {
    const folder = join(path, REPLACED);
    await makeFolder(folder);
    const taken = new Set((await readdir(folder)).map((one) => one.toLowerCase()));
    await rename(join(path, name), join(folder, takeFreeName(name, taken)));
    names.delete(name);
  };
  return {
    list,
    get photoCount(): number {
      return names.size;
    },
    /**
     * Stores a photo under the name of its slot and waits until it is on disk. Storing the same bytes again changes
     * nothing; a replaced photo moves to `replaced`.
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
      if (!takesSeveral) for (const old of earlier) await setAside(old);
      await writeFileAtomic(join(path, name), bytes, { flush: true });
      names.add(name);
      return name;
    },
  };
}

export type CaptureFolder = Awaited<ReturnType<typeof openCaptureFolder>>;
