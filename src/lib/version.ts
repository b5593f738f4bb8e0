import { readFileSync } from 'node:fs';
import { placeOf } from './places.ts';

/** Returns the version of this package, from its own package.json. */
export function readPackageVersion(): string {
  return (JSON.parse(readFileSync(placeOf('package.json'), 'utf8')) as { version: string }).version;
}
