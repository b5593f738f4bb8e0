import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/*
 * Not mkdir's `recursive`: Node never returns from it where the system answers "no such file" although the parent is
 * there, as in /proc (`HOME=/proc`).
 */

/** Makes a folder and those above it that are absent; one that is there is left as it is. */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const folder = resolve(path);
  const find = (place: string) => stat(place).catch(() => undefined);
  const isThere = async () => (await find(folder))?.isDirectory() ?? false;
  if (await isThere()) return;
  if (!(await find(dirname(folder)))) await makeFolder(dirname(folder), mode);
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!(await isThere())) throw error;
  }
}

/** The same without waiting. Returns the first folder that was absent, or undefined. */
export function makeFolderSync(path: string, mode?: number): string | undefined {
  const folder = resolve(path);
  const isThere = () => findSync(folder)?.isDirectory() ?? false;
  if (isThere()) return undefined;
  const first = findSync(dirname(folder)) ? undefined : makeFolderSync(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (!isThere()) throw error;
  }
  return first ?? folder;
}

function findSync(place: string) {
  try {
    return statSync(place, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
