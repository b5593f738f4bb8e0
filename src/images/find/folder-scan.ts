import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { comparePaths } from '../../lib/names.ts';
import { describeFsError, NO_FILE, NOT_UTF8 } from '../read/fs-error.ts';
import { classifyFile } from './classify-file.ts';
import { hasPhotoExtension } from './extension.ts';

/** Contents of a folder: paths relative to it, with forward slashes, in natural order. */
interface FolderScan {
  readonly photos: string[];
  /** Images and videos in unsupported formats, and copies of photos into which vehi drew boxes. */
  readonly skipped: { readonly path: string; readonly found: string }[];
  /** Unreadable subfolders, and entries named like a photo that lead to no file: broken links, names not in UTF-8. */
  readonly unreadable: { readonly path: string; readonly reason: string; readonly needed: string }[];
}

/**
 * Finds the photos of a folder. Skips hidden entries and `node_modules`. Follows links but enters each folder once,
 * which breaks link cycles.
 * @throws Error of the file system if the folder itself cannot be read
 */
export async function scanFolder(root: string, recursive: boolean): Promise<FolderScan> {
  const scan: FolderScan = { photos: [], skipped: [], unreadable: [] };
  const visitedFolders = new Set<string>();

  const visitFolder = async (folder: string): Promise<void> => {
    const real = await realpath(join(root, folder));
    if (visitedFolders.has(real)) return;
    visitedFolders.add(real);
    for (const name of (await readdir(real)).sort(comparePaths)) {
      if (name.startsWith('.') || name === 'node_modules') continue;
      await visitEntry(folder === '' ? name : `${folder}/${name}`);
    }
  };
  const visitEntry = async (path: string): Promise<void> => {
    const found = await stat(join(root, path)).catch(describeDeadEntry);
    if ('reason' in found) {
      if (hasPhotoExtension(path)) scan.unreadable.push({ path, ...found });
    } else if (found.isDirectory()) {
      if (!recursive) return;
      await visitFolder(path).catch((error: unknown) =>
        scan.unreadable.push({ path, reason: describeFsError(error), needed: 'a folder that can be read' }),
      );
    } else if (found.isFile()) {
      const classified = await classifyFile(join(root, path));
      if (classified?.photo === true) scan.photos.push(path);
      else if (classified !== null) scan.skipped.push({ path, found: classified.found });
    } else if (hasPhotoExtension(path)) {
      scan.unreadable.push({ path, reason: 'a pipe or a device', needed: 'a photo in a file' });
    }
  };

  await visitFolder('');
  return scan;
}

/** Describes a directory entry that cannot be resolved to a file. */
function describeDeadEntry(error: unknown): Omit<FolderScan['unreadable'][number], 'path'> {
  const reason = describeFsError(error);
  // The folder lists what does not exist.
  if (reason === NO_FILE) return { reason: 'a broken link', needed: 'a link to an existing photo' };
  return { reason, needed: reason === NOT_UTF8 ? 'another name' : 'a photo that can be read' };
}
