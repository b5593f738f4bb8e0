import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VehiError } from './errors.ts';

/**
 * Locates the files of this package, both from source and from the bundle, where a module of `src` may be in any file
 * of `dist`.
 */

/** Folder of the package's own package.json. */
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

/** Fields read from the own package.json. */
interface PackageJson {
  readonly version: string;
  /** Packages needed only by a service on several machines, with their versions. */
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** Returns the version from the own package.json. */
export function readPackageVersion(): string {
  return readPackageJson().version;
}

/** Returns the own package.json. */
function readPackageJson(): PackageJson {
  return JSON.parse(readFileSync(resolvePackagePath('package.json'), 'utf8'));
}

/**
 * Loads an optional peer dependency of package.json, or a module that imports one; they are needed only for a service
 * on several machines.
 * @throws VehiError usage/PACKAGE_MISSING, with the command that installs all of them
 */
export async function loadOptional<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const [, name] = /^Cannot find package '([^']+)'/.exec(cause instanceof Error ? cause.message : '') ?? [];
    const { peerDependencies: peers } = readPackageJson();
    if (name === undefined || !Object.hasOwn(peers, name)) throw cause;
    const deps = Object.entries(peers).map(([peer, version]) => `${peer}@${version}`);
    throw new VehiError(
      'usage',
      'PACKAGE_MISSING',
      `${name} is not installed, which --database and s3: addresses need.`,
      { hint: `Install what they need where vehi is (with --global if vehi is): npm i ${deps.join(' ')}` },
    );
  }
}

/** Packages with native code, which are missing from an installation made for another machine. */
const NATIVE_PACKAGES = ['sharp', 'libheif-js', '@photostructure/sqlite', 'onnxruntime-node'] as const;

const MISSING = /Cannot find (?:package|module)|Could not load the "sharp" module/;

/** Returns what to do about a package that does not work on this machine. */
export const describeInstall = (name: string): string =>
  `${name} does not work on this machine. Install vehi with the parts for it: npm install -g --ignore-scripts --include=optional vehi.`;

/** Returns an error that names the missing package with native code; undefined for any other error. */
export function findMissingPart(error: unknown): VehiError | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { message, stack = '' } = one;
    const isMissing = MISSING.test(message) || (one as NodeJS.ErrnoException).code === 'ERR_DLOPEN_FAILED';
    const name = [message, stack].flatMap((text) => NATIVE_PACKAGES.filter((part) => text.includes(part)))[0];
    if (isMissing && name !== undefined) {
      const [reason = ''] = message.split('\n');
      return new VehiError('engine', 'PART_MISSING', reason, { hint: describeInstall(name), cause: error });
    }
  }
  return undefined;
}
