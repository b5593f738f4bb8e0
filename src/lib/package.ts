import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the package's own package.json; in the bundle, a module of `src` may be in any file of `dist`. */
const ROOT = findRoot(new URL('./', import.meta.url));

/** Returns the absolute path of a file or folder, given relative to the package root. */
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

/** Returns the version and the optional peer dependencies, those of a service on several machines. */
export function readPackageJson(): {
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
} {
  return JSON.parse(readFileSync(resolvePackagePath('package.json'), 'utf8'));
}
