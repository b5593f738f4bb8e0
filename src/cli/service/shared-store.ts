import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadOptional } from '../../lib/package.ts';
import { createDirectoryBlobs, makeFilesFolder } from '../../storage/directory-blobs.ts';
import { parseS3Url } from '../../storage/objects/s3-address.ts';
import type { BlobStore, Store } from '../../storage/ports.ts';
import { makeOptionError } from '../terminal/usage-errors.ts';
import type { ObjectsAddress } from './shared-addresses.ts';

/**
 * Opens the object storage at an address: a folder shared by all machines, or a bucket.
 * @throws VehiError usage/INVALID_OPTION, usage/OBJECTS_UNUSABLE
 */
export async function openObjects({ objects: url, objectKeys }: ObjectsAddress): Promise<BlobStore> {
  if (objectKeys) {
    const { openS3Blobs } = await loadOptional(() => import('../../storage/objects/s3.ts'));
    return openS3Blobs(parseS3Url(url), objectKeys);
  }
  const path = URL.canParse(url) && new URL(url).protocol === 'file:' ? fileURLToPath(url) : '';
  if (!isAbsolute(path)) {
    throw makeOptionError(
      '--objects is neither the s3: address of a bucket nor the file: address of a folder that all machines share.',
      `For example file:///srv/vehi-files, or s3://vehi-files?endpoint=https://s3.example.com`,
    );
  }
  return makeFilesFolder(path);
}

/** Opens the store of a database and its object storage; omit `objects` if no files are read. */
export async function openSharedStore(
  { database, objects, objectKeys }: { database: string } & Partial<ObjectsAddress>,
  connections: number,
): Promise<Store> {
  const files =
    objects === undefined
      ? createDirectoryBlobs(join(tmpdir(), `vehi-${randomUUID()}`))
      : await openObjects({ objects, ...(objectKeys && { objectKeys }) });
  const { openPostgresStore } = await import('../../storage/postgres/store.ts');
  return openPostgresStore({ url: database, connections, objects: files });
}
