import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Locates the files of this package identically from source and from the bundle, in which a module of `src` may be in
 * any file of `dist`.
 */

/** Folder of the package's own package.json. */
const ROOT = findRoot(new URL('./', import.meta.url));

/** Returns the absolute path of a file or folder below the package root. */
export function resolvePackagePath(path: string): string {
  return fileURLToPath(new URL(path, ROOT));
}

/**
 * Returns the entry file of a module that runs in its own thread or process: from `src` if this runs from source, else
 * from `dist` (`vite.config.ts` lists these modules).
 * @param module its path below `src`, without an extension
 */
export function resolveModuleEntry(module: string): URL {
  const isSource = extname(new URL(import.meta.url).pathname) === '.ts';
  return new URL(isSource ? `src/${module}.ts` : `dist/${module}.js`, ROOT);
}

function findRoot(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  return findRoot(new URL('../', folder));
}
