import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The package refers to itself, because in the bundle a module of `src` may be in any file of `dist`. */
const require = createRequire(import.meta.url);
const ROOT = pathToFileURL(require.resolve('vehi/package.json'));

/** Returns the absolute path of a file or folder, given relative to the package root. */
export function resolvePackagePath(path: string): string {
  return fileURLToPath(new URL(path, ROOT));
}

/** Returns the version and the optional peer dependencies, those of a service on several machines. */
export function readPackageJson(): {
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
} {
  return require('vehi/package.json');
}
