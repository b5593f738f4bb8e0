import { VehiError } from './errors.ts';
import { readPackageJson } from './package-json.ts';

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
