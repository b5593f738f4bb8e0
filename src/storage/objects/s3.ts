import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { S3mini, S3ServiceError } from 's3mini';
import { VehiError } from '../../lib/errors.ts';
import { type BlobStore, checkBlobName, checkStaged } from '../blobs.ts';
import { StorageUnavailableError } from '../records.ts';
import type { S3Address, S3Keys } from './s3-address.ts';

/** Request timeout; uploading 10 MB takes this long at 4 Mbit/s. */
const REQUEST_TIMEOUT_MS = 20_000;
/** Delays before the second and third attempt, each extended randomly by up to half. */
const BACKOFF_MS: readonly number[] = [200, 1_000];
/** Maximum concurrent requests of one process, and staged files in memory at once. */
const MAX_REQUESTS = 32;
const MAX_PUBLISHED_AT_ONCE = 4;
const CONTENT_TYPES: Readonly<Record<string, string>> = { jpg: 'image/jpeg', pdf: 'application/pdf' };

/** Returns the status of an error response and its S3 error code; neither without a response. */
function readAnswer(error: unknown): { readonly status?: number; readonly code?: string } {
  if (!(error instanceof S3ServiceError)) return {};
  const code = /<Code>([A-Za-z0-9-]{1,64})<\/Code>/.exec(error.body ?? '')?.[1] ?? error.serviceCode;
  return { status: error.status, ...(code && code !== 'Unknown' && { code }) };
}

/** Describes a failure without the response, which may contain keys. */
function describe(error: unknown): string {
  const { status, code } = readAnswer(error);
  if (status !== undefined) return `HTTP ${status}${code === undefined ? '' : ` ${code}`}`;
  const { name, message, cause, errors, code: reason } = error as NodeJS.ErrnoException & AggregateError;
  const inner = cause ?? errors?.[0];
  if (name === 'TimeoutError') return 'it does not answer';
  return inner === undefined ? (reason ?? message) : describe(inner);
}

/** Ignores an absent key; an absent bucket is an error. */
function ignoreAbsent(error: unknown): undefined {
  const { status, code } = readAnswer(error);
  if (status !== 404 || code !== 'NoSuchKey') throw error;
}

/**
 * Opens the blob store of a bucket, whose objects are `<prefix>files/<owner>/<name>`, after one request that checks the
 * keys. Staged files stay on the local disk until they are published. It avoids conditional writes and bulk deletes,
 * which not every store supports. Temporary failures are retried, up to three attempts.
 * @param timing shortened by tests
 * @throws VehiError usage/OBJECTS_UNUSABLE; StorageUnavailableError in the calls
 */
export async function openS3Blobs(
  address: S3Address,
  keys: S3Keys,
  { timeoutMs = REQUEST_TIMEOUT_MS, backoffMs = BACKOFF_MS } = {},
): Promise<BlobStore> {
  const client = new S3mini({
    ...keys,
    endpoint: `${address.endpoint}/${address.bucket}`,
    region: address.region,
    requestAbortTimeout: timeoutMs,
    // A followed redirect would lose the signature.
    fetch: (input, init) => fetch(input, { ...init, redirect: 'manual' }),
  });
  const root = `${address.prefix}files/`;
  const limitRequests = pLimit(MAX_REQUESTS);
  const limitFiles = pLimit(MAX_PUBLISHED_AT_ONCE);
  const staged = new Map<string, Map<string, Promise<FileHandle>>>();
  const toPrefix = (owner: string) => `${root}${checkBlobName(owner)}/`;
  const toKey = (owner: string, name: string) => `${toPrefix(owner)}${checkBlobName(name)}`;

  async function send<T>(request: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await limitRequests(request);
      } catch (error) {
        const { status = 503 } = readAnswer(error);
        const pauseMs = backoffMs[attempt];
        if (pauseMs === undefined || (status < 500 && status !== 429 && status !== 408))
          throw new StorageUnavailableError(`object store ${address.name}: ${describe(error)}`);
        await sleep(pauseMs * (1 + Math.random() / 2));
      }
    }
  }
  const read = (key: string) =>
    send(async () => {
      const response = await client.getObjectRaw(key).catch(ignoreAbsent);
      return response && Buffer.from(await response.arrayBuffer());
    });
  const write = (key: string, bytes: Uint8Array) =>
    send(() => client.putObject(key, bytes, CONTENT_TYPES[key.slice(key.lastIndexOf('.') + 1)]));
  // Some stores refuse to delete an absent key.
  const remove = (key: string) => send(() => client.deleteObject(key).catch(ignoreAbsent));

  /** Lists keys without the prefix; with a delimiter, the distinct parts up to it. */
  async function list(prefix: string, delimiter?: string): Promise<string[]> {
    const objects = await send(async () => {
      const page = await client.listObjects('/', prefix, undefined, delimiter ? { delimiter } : {});
      // Null means that the bucket is absent; reading a key then throws that error.
      if (page === null) await client.getObjectRaw(`${root}none`);
      return page ?? [];
    });
    return objects.map(({ Key }) => Key.slice(prefix.length).replace(/\/$/, '')).sort();
  }

  async function discard(owner: string): Promise<void> {
    const files = staged.get(checkBlobName(owner));
    staged.delete(owner);
    for (const file of files?.values() ?? [])
      await file.then((opened) => opened.close()).catch(() => undefined);
  }

  async function stage(owner: string, name: string, bytes: Uint8Array | AsyncIterable<Uint8Array>) {
    toKey(owner, name);
    const files = staged.get(owner) ?? new Map<string, Promise<FileHandle>>();
    if (files.has(name)) throw new Error(`${owner}/${name} is staged already`);
    // Registered before it is written, because the photos of a creation are staged concurrently.
    staged.set(owner, files.set(name, spool(bytes)));
    await files.get(name)?.catch((error: unknown) => {
      files.delete(name);
      throw error;
    });
  }

  const blobs: BlobStore = {
    put: async (owner, name, bytes) => void (await write(toKey(owner, name), bytes)),
    get: async (owner, name) => read(toKey(owner, name)),
    list: async (owner) => list(toPrefix(owner)),
    listOwners: () => list(root, '/'),
    async remove(owner, name) {
      const names = name === undefined ? await list(toPrefix(owner)) : [name];
      await Promise.all(names.map((file) => remove(toKey(owner, file))));
    },
    stage,
    async getStaged(owner, name) {
      toKey(owner, name);
      const file = staged.get(owner)?.get(name);
      return file && readWhole(await file);
    },
    async stageCopy(owner, name, source) {
      const bytes = await read(toKey(source.owner, source.name));
      if (bytes) await stage(owner, name, bytes);
      return bytes !== undefined;
    },
    async publish(owner, names) {
      const files = staged.get(checkBlobName(owner));
      try {
        checkStaged(owner, names, [...(files?.keys() ?? [])]);
        await limitFiles.map(files ?? [], async ([name, file]) =>
          write(toKey(owner, name), await readWhole(await file)),
        );
      } finally {
        await discard(owner);
      }
    },
    discardStaged: discard,
    // A process's staged files vanish with it.
    clearStaged: async () => undefined,
  };
  await read(`${root}none`).catch(({ message }: Error) => {
    throw new VehiError('usage', 'OBJECTS_UNUSABLE', `${message}.`, {
      hint: 'Check bucket, endpoint and region of --objects, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and the clock of this machine; the key must be allowed to list, read, write and delete.',
    });
  });
  return blobs;
}

/** Writes to an unlinked temporary file, which disappears with the process. */
async function spool(bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<FileHandle> {
  const path = join(tmpdir(), `vehi-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    for await (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) await file.writeFile(chunk);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readWhole(file: FileHandle): Promise<Buffer> {
  const buffer = Buffer.alloc((await file.stat()).size);
  for (let offset = 0; offset < buffer.length; ) {
    const { bytesRead } = await file.read(buffer, offset, buffer.length - offset, offset);
    if (bytesRead === 0) throw new Error('a temporary file became shorter');
    offset += bytesRead;
  }
  return buffer;
}
