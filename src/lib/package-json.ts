import { readFileSync } from 'node:fs';
import { resolvePackagePath } from './package-paths.ts';

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
export function readPackageJson(): PackageJson {
  return JSON.parse(readFileSync(resolvePackagePath('package.json'), 'utf8'));
}
