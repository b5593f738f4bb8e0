import { readOwnJson } from './own-json.ts';

/** Returns the version of this package, from its own package.json. */
export function readPackageVersion(): string {
  return readOwnJson<{ version: string }>(new URL('../../package.json', import.meta.url)).version;
}
