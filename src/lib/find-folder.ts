import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Returns the nearest folder at or above `start` that contains `name`, or null. */
export function findFolderWith(name: string, start: string): string | null {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return folder;
    if (dirname(folder) === folder) return null;
  }
}
