import { readFileSync } from 'node:fs';
import { placeOf } from './places.ts';

/** Fields read from the own package.json. */
interface Package {
  readonly version: string;
  /** Packages needed only by a service on several machines, with their versions. */
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** Returns the version from the own package.json. */
export function readPackageVersion(): string {
  return readPackage().version;
}

/** Returns the own package.json. */
export function readPackage(): Package {
  return JSON.parse(readFileSync(placeOf('package.json'), 'utf8'));
}
