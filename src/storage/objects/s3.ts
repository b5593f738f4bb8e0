import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { S3mini } from 's3mini';

import { type BlobStore, checkBlobName, checkStaged } from '../ports.ts';
import type { S3Address, S3Keys } from './s3-address.ts';
import { isTemporary, makeUnavailableError, makeUnusableError, readErrorResponse } from './s3-errors.ts';

/** Request timeout; 10 MB take this long at 4 Mbit/s. */
const REQUEST_TIMEOUT_MS = 20_000;
/** Delays before the second and third attempt, each extended randomly by up to half. */
const BACKOFF_MS: readonly number[] = [200, 1_000];
/** Maximum concurrent requests of one process. */
const MAX_REQUESTS = 32;
const JPEG = 'image/jpeg';
const CONTENT_TYPES: Readonly<Record<string, string>> = { jpg: JPEG, pdf: 'application/pdf' };

/** Timing, shortened by tests. */
interface S3Timing {
  readonly timeoutMs: number;
  readonly backoffMs: readonly number[];
}

/**
 * Creates a blob store of objects `<prefix>files/<owner>/<name>` in a bucket. Staged bytes are stored at their final
 * key and hidden until adopted, which makes adoption free. Staged streams are spooled to local disk, because they are
 * read once and removed. It uses neither conditional writes nor bulk deletes, which not every store supports. A call
 * that fails temporarily is tried three times.
 * @throws StorageUnavailable for any remaining failure
 */
function createS3Blobs(
  address: S3Address,
  keys: S3Keys,
  timing: S3Timing,
): BlobStore & { probe(): Promise<void> } {
  const client = new S3mini({
    ...keys,
    endpoint: `${address.endpoint}/${address.bucket}`,
    region: address.region,
    requestAbortTimeout: timing.timeoutMs,
    // A followed redirect would lose the signature.
    fetch: (input, init) => fetch(input, { ...init, redirect: 'manual' }),
  });
  const root = `${address.prefix}files/`;
  const limitRequests = pLimit(MAX_REQUESTS);
  /** Hidden names by owner, with the spooled stream of those not stored yet. */
  const staged = new Map<string, Map<string, SpooledFile | undefined>>();

  async function retry<T>(send: () => Promise<T>): Promise<T> {
    for (const backoffMs of timing.backoffMs) {
      try {
        return await limitRequests(send);
      } catch (error) {
        if (!isTemporary(readErrorResponse(error))) throw error;
        await sleep(backoffMs * (1 + Math.random() / 2));
      }
    }
    return limitRequests(send);
  }
  const withRetry = <T>(send: () => Promise<T>): Promise<T> =>
    retry(send).catch((error: unknown) => {
      throw makeUnavailableError(error, address);
    });

  const toOwnerPrefix = (owner: string) => `${root}${checkBlobName(owner)}/`;
  const toObjectKey = (owner: string, name: string) => `${toOwnerPrefix(owner)}${checkBlobName(name)}`;
  const isStaged = (owner: string, name: string) => staged.get(owner)?.has(name) ?? false;

  /** Returns the map to stage a name in. @throws Error if the name is already staged */
  function prepareStaging(owner: string, name: string): Map<string, SpooledFile | undefined> {
    const names = staged.get(owner) ?? new Map<string, SpooledFile | undefined>();
    if (names.has(name)) throw new Error(`${owner}/${name} is staged already`);
    staged.set(owner, names);
    return names;
  }

  /** Returns undefined for an absent key; an absent bucket is an error. */
  async function ignoreNoSuchKey<T>(send: () => Promise<T>): Promise<T | undefined> {
    try {
      return await send();
    } catch (error) {
      const { status, code } = readErrorResponse(error);
      if (status === 404 && code === 'NoSuchKey') return undefined;
      throw error;
    }
  }

  const readObject = (key: string): Promise<Buffer | undefined> =>
    ignoreNoSuchKey(async () => Buffer.from(await (await client.getObjectRaw(key)).arrayBuffer()));

  async function writeObject(key: string, bytes: Uint8Array): Promise<void> {
    const type = CONTENT_TYPES[key.slice(key.lastIndexOf('.') + 1)];
    await withRetry(() => client.putObject(key, bytes, type));
  }

  async function deleteObject(key: string): Promise<void> {
    await withRetry(async () => {
      try {
        await client.deleteObject(key);
      } catch (error) {
        // Some stores refuse to delete an absent key.
        const { status, code } = readErrorResponse(error);
        if (status !== 404 || code !== 'NoSuchKey') throw error;
      }
    });
  }

  /** Lists keys without the prefix; with a delimiter, the distinct parts up to it. */
  async function listKeys(prefix: string, delimiter?: string): Promise<string[]> {
    const objects = await withRetry(async () => {
      const page = await client.listObjects('/', prefix, undefined, delimiter ? { delimiter } : {});
      // Null means that the bucket is absent; reading a key then throws that error.
      if (page === null) await client.getObjectRaw(`${root}none`);
      return page ?? [];
    });
    return objects.map(({ Key }) => Key.slice(prefix.length).replace(/\/$/, '')).sort();
  }

  const listNames = (owner: string) => listKeys(toOwnerPrefix(owner));

  return {
    async probe() {
      try {
        await retry(() => readObject(`${root}none`));
      } catch (error) {
        throw makeUnusableError(error, address);
      }
    },
    put: async (owner, name, bytes) => writeObject(toObjectKey(owner, name), bytes),
    async get(owner, name) {
      const key = toObjectKey(owner, name);
      return isStaged(owner, name) ? undefined : withRetry(() => readObject(key));
    },
    list: async (owner) => (await listNames(owner)).filter((name) => !isStaged(owner, name)),
    listOwners: async () => (await listKeys(root, '/')).filter((owner) => !staged.has(owner)),
    async remove(owner, name) {
      if (name !== undefined) return deleteObject(toObjectKey(owner, name));
      await Promise.all((await listNames(owner)).map((file) => deleteObject(toObjectKey(owner, file))));
    },
    async stage(owner, name, bytes) {
      const key = toObjectKey(owner, name);
      const names = prepareStaging(owner, name);
      if (bytes instanceof Uint8Array) {
        names.set(name, undefined);
        await writeObject(key, bytes);
      } else names.set(name, await spool(bytes));
    },
    async getStaged(owner, name) {
      const key = toObjectKey(owner, name);
      if (!isStaged(owner, name)) return undefined;
      return (await staged.get(owner)?.get(name)?.read()) ?? withRetry(() => readObject(key));
    },
    async stageCopy(owner, name, source) {
      const key = toObjectKey(owner, name);
      prepareStaging(owner, name).set(name, undefined);
      const response = await withRetry(() =>
        ignoreNoSuchKey(() => client.copyObject(toObjectKey(source.owner, source.name), key)),
      );
      return response !== undefined;
    },
    async publish(owner, names) {
      const files = staged.get(checkBlobName(owner));
      checkStaged(owner, names, [...(files?.keys() ?? [])]);
      for (const [name, spooled] of files ?? []) {
        if (!spooled) continue;
        await writeObject(toObjectKey(owner, name), await spooled.read());
        files?.set(name, undefined);
        await spooled.close();
      }
      staged.delete(owner);
    },
    async discardStaged(owner) {
      const names = [...(staged.get(checkBlobName(owner)) ?? [])];
      staged.delete(owner);
      for (const [, spooled] of names) await spooled?.close();
      const stored = names.filter(([, spooled]) => spooled === undefined);
      await Promise.all(stored.map(([name]) => deleteObject(toObjectKey(owner, name))));
    },
    // Objects staged by a dead process are found like other interrupted creations: see `orphans`.
    clearStaged: async () => undefined,
    listOrphans: async () => [],
  };
}

/**
 * Opens the blob store of a bucket, after one request that checks the keys.
 * @throws VehiError usage/OBJECTS_UNUSABLE with the cause: bucket, keys, region, clock, or no response
 */
export async function openS3Blobs(
  address: S3Address,
  keys: S3Keys,
  timing: Partial<S3Timing> = {},
): Promise<BlobStore> {
  const { probe, ...blobs } = createS3Blobs(address, keys, {
    timeoutMs: REQUEST_TIMEOUT_MS,
    backoffMs: BACKOFF_MS,
    ...timing,
  });
  await probe();
  return blobs;
}

/** Bytes spooled to local disk. */
interface SpooledFile {
  read(): Promise<Buffer>;
  close(): Promise<void>;
}

/** Spools a stream chunk by chunk to an unlinked temporary file, which disappears with the process. */
async function spool(bytes: AsyncIterable<Uint8Array>): Promise<SpooledFile> {
  const path = join(tmpdir(), `vehi-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    for await (const chunk of bytes) await file.writeFile(chunk);
  } catch (error) {
    await file.close();
    throw error;
  }
  return {
    async read() {
      const { size } = await file.stat();
      const buffer = Buffer.alloc(size);
      let offset = 0;
      while (offset < size) {
        const { bytesRead } = await file.read(buffer, offset, size - offset, offset);
        if (bytesRead === 0) throw new Error('a temporary file became shorter');
        offset += bytesRead;
      }
      return buffer;
    },
    close: () => file.close(),
  };
}
