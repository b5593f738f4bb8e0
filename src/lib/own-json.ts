import { readFileSync } from 'node:fs';

/**
 * Reads a JSON file of this package, whose shape its tests hold, or of one that is installed with it. In a file of its own,
 * as every start reads the version and only some read JSON of others.
 */
export function readOwnJson<T>(file: URL): T {
  return JSON.parse(readFileSync(file, 'utf8'));
}
