import { readFileSync } from 'node:fs';
import { placeOf } from './places.ts';

/** What the program reads of its own package.json. */
interface Package {
  readonly version: string;
  /** Packages that only a service over several machines needs, with their versions. */
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** Returns the version of this package, from its own package.json. */
export function readPackageVersion(): string {
  return readPackage().version;
}

/** Returns this package's own package.json. */
export function readPackage(): Package {
  return JSON.parse(readFileSync(placeOf('package.json'), 'utf8'));
}
