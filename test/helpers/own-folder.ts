import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Makes a folder for the tests of a file and removes it after them; call it at the top of the file. */
export function makeOwnFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `vehi-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes a folder in which a command keeps its settings and data, apart from those of this machine. */
export function makeOwnHome(name: string): { directory: string; env: Record<string, string> } {
  const directory = makeOwnFolder(name);
  const env = { XDG_CONFIG_HOME: join(directory, 'config'), VEHI_DATA_DIR: join(directory, 'data') };
  return { directory, env };
}
