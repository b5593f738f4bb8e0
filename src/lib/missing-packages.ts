import { VehiError } from './errors.ts';
import { readPackageJson } from './package.ts';

/** Error of Node for a package or module that is not there, or of sharp for a machine without its native part. */
const MISSING = /Cannot find (?:package|module) '([^']+)'|Could not load the "([^"]+)" module/;

/**
 * Loads an optional peer dependency of package.json, or a module that imports one, for what `user` names.
 * @throws VehiError usage/PACKAGE_MISSING, with the command that installs all of them
 */
export async function loadOptional<T>(user: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const [, name] = MISSING.exec(cause instanceof Error ? cause.message : '') ?? [];
    const { peerDependencies: peers } = readPackageJson();
    if (name === undefined || !Object.hasOwn(peers, name)) throw cause;
    const deps = Object.entries(peers).map(([peer, version]) => `${peer}@${version}`);
    const message = `${name} is not installed, which ${user} needs.`;
    throw new VehiError('usage', 'PACKAGE_MISSING', message, {
      hint: `Install what a shared service needs where vehi is (with --global if vehi is): npm i ${deps.join(' ')}`,
    });
  }
}

/** Packages that an installation may lack: one made for another machine lacks those with native code. */
const OWN_PACKAGES = ['sharp', 'libheif-js', '@photostructure/sqlite', 'onnxruntime-node'];

/** Returns what to do about a package that does not work on this machine. */
export const describeInstall = (name: string): string =>
  `${name} does not work on this machine. Install vehi with the parts for it: npm install -g --ignore-scripts --include=optional vehi.`;

/** Returns an error that names the missing one of `OWN_PACKAGES`; undefined for any other error. */
export function findMissingPart(error: unknown): VehiError | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { message, code } = one as NodeJS.ErrnoException;
    const [, module, part = module] = MISSING.exec(message) ?? [];
    // The message of a native library that cannot be loaded holds its path.
    const place = (part ?? (code === 'ERR_DLOPEN_FAILED' ? message : '')).replaceAll('\\', '/');
    const name = OWN_PACKAGES.find((own) => `node_modules/${place}/`.includes(`node_modules/${own}/`));
    if (name === undefined) continue;
    const [reason = ''] = message.split('\n');
    return new VehiError('engine', 'PART_MISSING', reason, { hint: describeInstall(name), cause: error });
  }
  return undefined;
}
