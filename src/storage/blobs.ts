import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { BlobStore } from './ports.ts';

/** Files written at once; more than the threads that do it gain nothing. */
const WRITES_MAX = 8;

const SAFE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

function checked(name: string): string {
  if (!SAFE.test(name)) throw new Error(`not a blob name: ${JSON.stringify(name)}`);
  return name;
}

/** Blobs as files `root/<owner>/<name>`; written under another name first, so that a reader never sees half a file. */
export function directoryBlobs(root: string): BlobStore {
  const absent = (error: unknown): undefined => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  };
  const written = pLimit(WRITES_MAX);
  async function write(folder: string, target: string, bytes: Uint8Array): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const temporary = join(folder, `.${randomUUID()}`);
    try {
      await writeFile(temporary, bytes, { mode: 0o600, flush: true });
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }
  return {
    async put(owner, name, bytes) {
      const folder = join(root, checked(owner));
      const target = join(folder, checked(name));
      return written(() => write(folder, target, bytes));
    },
    async get(owner, name) {
      return readFile(join(root, checked(owner), checked(name))).catch(absent);
    },
    async list(owner) {
      const names = (await readdir(join(root, checked(owner))).catch(absent)) ?? [];
      return names.filter((name) => SAFE.test(name)).sort();
    },
    async owners() {
      const names = (await readdir(root).catch(absent)) ?? [];
      return names.filter((name) => SAFE.test(name)).sort();
    },
    async remove(owner, name) {
      const folder = join(root, checked(owner));
      await rm(name === undefined ? folder : join(folder, checked(name)), { recursive: true, force: true });
    },
  };
}

/** Blobs in memory, gone with the process. */
export function memoryBlobs(): BlobStore {
  const owners = new Map<string, Map<string, Uint8Array>>();
  return {
    async put(owner, name, bytes) {
      const files = owners.get(checked(owner)) ?? new Map<string, Uint8Array>();
      owners.set(owner, files.set(checked(name), Uint8Array.from(bytes)));
    },
    async get(owner, name) {
      return owners.get(checked(owner))?.get(checked(name));
    },
    async list(owner) {
      return [...(owners.get(checked(owner))?.keys() ?? [])].sort();
    },
    async owners() {
      return [...owners.keys()].sort();
    },
    async remove(owner, name) {
      if (name === undefined) owners.delete(checked(owner));
      else owners.get(checked(owner))?.delete(checked(name));
    },
  };
}
