import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its missing parents, without mkdir's `recursive`: Node hangs in it if the system reports "no
 * such file" although the parent exists, as in /proc (`HOME=/proc`). Leaves an existing folder unchanged.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const folder = resolve(path);
  const find = (place: string) => stat(place).catch(() => undefined);
  const isThere = async () => (await find(folder))?.isDirectory() ?? false;
  if (await isThere()) return;
  if (!(await find(dirname(folder)))) await makeFolder(dirname(folder), mode);
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!(await isThere())) throw error;
  }
}

/** Synchronous variant. Returns the first folder that was missing, or undefined. */
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
