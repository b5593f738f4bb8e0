import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a folder that is removed after the run with all temporary files (vitest.config.ts). */
export function makeOwnFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `vehi-${name}-`));
}

/** Makes a folder in which a command keeps its settings and data, apart from those of this machine. */
export function makeOwnHome(name: string): { directory: string; env: Record<string, string> } {
  const directory = makeOwnFolder(name);
  const env = { XDG_CONFIG_HOME: join(directory, 'config'), VEHI_DATA_DIR: join(directory, 'data') };
  return { directory, env };
}
