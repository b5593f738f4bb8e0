import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Where the files of this package are: the same from the sources and from the bundle, in which a module of `src` may be in
 * any file of `dist`.
 */

/** The folder with the package's own package.json. */
const ROOT = findRoot(new URL('./', import.meta.url));

/** Returns the path of a file or folder of this package, by its path below the package's root. */
export function placeOf(path: string): string {
  return fileURLToPath(new URL(path, ROOT));
}

/**
 * Returns the file of a module that runs as a thread or a process of its own: of `src` where this runs from the sources, else
 * of `dist` (`vite.config.ts` lists these modules).
 * @param module its path below `src`, without an extension
 */
export function placeOfModule(module: string): URL {
  const isSource = extname(new URL(import.meta.url).pathname) === '.ts';
  return new URL(isSource ? `src/${module}.ts` : `dist/${module}.js`, ROOT);
}

function findRoot(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  return findRoot(new URL('../', folder));
}
