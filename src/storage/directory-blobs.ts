import {
  access,
  constants,
  copyFile,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
} from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { toReason, VehiError } from '../lib/errors.ts';
import { makeFolder, writeFileAtomic } from '../lib/files.ts';
import { BLOB_NAME, type BlobStore, checkBlobName, checkStaged } from './blobs.ts';

/** Maximum concurrent writes: enough for the I/O threads, and a bound of the open files. */
const MAX_CONCURRENT_WRITES = 8;
const MAX_REMOVAL_RETRIES = 3;

function ignoreAbsent(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

/**
 * Creates a blob store of files `files/<owner>/<name>` in a data directory. `files/.incoming` holds partially written
 * files, and the staged files of pending creations.
 */
export function createDirectoryBlobs(directory: string): BlobStore {
  const root = join(directory, 'files');
  const stagingFolder = join(root, '.incoming');
  const setAsideFolder = join(directory, 'files-set-aside');
  const locateFile = (owner: string, name: string) => join(root, checkBlobName(owner), checkBlobName(name));
  const locateStaged = (owner: string, name: string) =>
    join(stagingFolder, checkBlobName(owner), checkBlobName(name));
  const makePrivateFolder = (folder: string) => makeFolder(folder, 0o700);
  const limitWrites = pLimit(MAX_CONCURRENT_WRITES);

  async function write(target: string, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
    const file = await open(target, 'wx', 0o600);
    try {
      for await (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) await file.writeFile(chunk);
      if (bytes instanceof Uint8Array) await file.sync();
    } finally {
      await file.close();
    }
  }

  async function writeAtomically(owner: string, name: string, bytes: Uint8Array): Promise<void> {
    const target = locateFile(owner, name);
    await makePrivateFolder(stagingFolder);
    const beforeRename = () => makePrivateFolder(join(root, owner));
    const options = { mode: 0o600, flush: true, temporaryFolder: stagingFolder, beforeRename };
    await writeFileAtomic(target, bytes, options);
  }

  async function listNames(folder: string): Promise<string[]> {
    const names = (await readdir(folder).catch(ignoreAbsent)) ?? [];
    return names.filter((name) => BLOB_NAME.test(name)).sort();
  }

  async function removeOlder(folder: string, beforeMs: number): Promise<void> {
    for (const name of (await readdir(folder).catch(ignoreAbsent)) ?? []) {
      const stats = await stat(join(folder, name)).catch(ignoreAbsent);
      if (stats && stats.mtimeMs < beforeMs) await rm(join(folder, name), { recursive: true, force: true });
    }
  }

  return {
    put: (owner, name, bytes) => limitWrites(() => writeAtomically(owner, name, bytes)),
    get: async (owner, name) => readFile(locateFile(owner, name)).catch(ignoreAbsent),
    list: async (owner) => listNames(join(root, checkBlobName(owner))),
    listOwners: () => listNames(root),
    async remove(owner, name) {
      await rm(name === undefined ? join(root, checkBlobName(owner)) : locateFile(owner, name), {
        recursive: true,
        force: true,
        // A running analysis may add a file in between.
        maxRetries: MAX_REMOVAL_RETRIES,
      });
    },
    async stage(owner, name, bytes) {
      const target = locateStaged(owner, name);
      await makePrivateFolder(join(stagingFolder, owner));
      // A stream is as slow as its sender, so it must not occupy a write slot.
      if (bytes instanceof Uint8Array) await limitWrites(() => write(target, bytes));
      else await write(target, bytes);
    },
    getStaged: async (owner, name) => readFile(locateStaged(owner, name)).catch(ignoreAbsent),
    async stageCopy(owner, name, source) {
      const [sourceFile, target] = [locateFile(source.owner, source.name), locateStaged(owner, name)];
      await makePrivateFolder(join(stagingFolder, owner));
      return limitWrites(async () => {
        if (!(await stat(sourceFile).catch(ignoreAbsent))) return false;
        await copyFile(sourceFile, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
        const file = await open(target);
        await file.sync().finally(() => file.close());
        return true;
      });
    },
    async publish(owner, names) {
      const target = join(root, owner);
      await rename(join(stagingFolder, checkBlobName(owner)), target).catch(ignoreAbsent);
      // Checked after the move, because a cleanup may remove staged files until then.
      checkStaged(owner, names, await listNames(target));
    },
    async discardStaged(owner) {
      await rm(join(stagingFolder, checkBlobName(owner)), { recursive: true, force: true });
    },
    clearStaged: (beforeMs = Number.POSITIVE_INFINITY) => removeOlder(stagingFolder, beforeMs),
    async setAside(owner) {
      const files = join(root, checkBlobName(owner));
      if (!(await stat(files).catch(ignoreAbsent))) return false;
      await makePrivateFolder(setAsideFolder);
      const first = join(setAsideFolder, owner);
      // Files of this owner that were set aside before remain.
      const target = (await stat(first).catch(ignoreAbsent)) ? `${first}.${Date.now()}` : first;
      await rename(files, target);
      await utimes(target, new Date(), new Date());
      return true;
    },
    clearSetAside: (beforeMs) => removeOlder(setAsideFolder, beforeMs),
  };
}

/**
 * Creates a blob store of files in a folder shared by several machines; the folder is created if absent.
 * @throws VehiError usage/OBJECTS_UNUSABLE
 */
export async function openSharedFolder(directory: string): Promise<BlobStore> {
  try {
    await makeFolder(join(directory, 'files'), 0o700);
    await access(join(directory, 'files'), constants.W_OK);
  } catch (cause) {
    throw new VehiError(
      'usage',
      'OBJECTS_UNUSABLE',
      `${directory}: cannot be used for files (${toReason(cause)}).`,
      { hint: 'Name a folder that every machine of the service may write to.', cause },
    );
  }
  return createDirectoryBlobs(directory);
}
