import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its missing parents, without mkdir's `recursive`: Node hangs in it if the system reports "no
 * such file" although the parent exists, as in /proc (`HOME=/proc`). Leaves an existing folder unchanged.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const folder = resolve(path);
  const statIfExists = (path: string) => stat(path).catch(() => undefined);
  const isFolder = async () => (await statIfExists(folder))?.isDirectory() ?? false;
  if (await isFolder()) return;
  if (!(await statIfExists(dirname(folder)))) await makeFolder(dirname(folder), mode);
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!(await isFolder())) throw error;
  }
}

/** Synchronous variant. Returns the first folder that was missing, or undefined. */
export function makeFolderSync(path: string, mode?: number): string | undefined {
  const folder = resolve(path);
  const isFolder = () => statIfExistsSync(folder)?.isDirectory() ?? false;
  if (isFolder()) return undefined;
  const firstCreated = statIfExistsSync(dirname(folder)) ? undefined : makeFolderSync(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (!isFolder()) throw error;
  }
  return firstCreated ?? folder;
}

function statIfExistsSync(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
