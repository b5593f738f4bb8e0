import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

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

/** Writes and reads files of a folder. */
export function openFiles(folder: string) {
  const at = (name: string) => join(folder, name);
  const read = (name: string) => readFileSync(at(name), 'utf8');
  return {
    folder,
    at,
    read,
    readJson: (name: string) => JSON.parse(read(name)),
    /** Writes bytes, a text, or a document as JSON; makes the folders above. */
    write(name: string, content: string | object) {
      mkdirSync(dirname(at(name)), { recursive: true });
      const isReady = typeof content === 'string' || content instanceof Uint8Array;
      writeFileSync(at(name), isReady ? content : JSON.stringify(content));
    },
  };
}
