import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findDataDirectory, readSettings } from '../../config/settings.ts';
import { VehiError } from '../../lib/errors.ts';
import { loadOptional } from '../../lib/missing-packages.ts';
import { createDirectoryBlobs, openSharedFolder } from '../../storage/directory-blobs.ts';
import { parseS3Url, readS3Keys } from '../../storage/objects/s3-address.ts';
import type { BlobStore, Store } from '../../storage/ports.ts';
import type { CliContext } from '../terminal/context.ts';
import { makeUsageError } from '../terminal/usage-error.ts';
import {
  readDatabaseAddress,
  readSharedAddresses,
  type SharedAddresses,
  type SharedFlags,
  warnOfPassword,
} from './shared-addresses.ts';

/**
 * Opens the object storage at an address: a folder of all machines, or a bucket with keys from the environment.
 * @throws VehiError usage, usage/OBJECTS_KEYS_MISSING, usage/OBJECTS_UNUSABLE
 */
export async function openObjects(url: string, { env }: Pick<CliContext, 'env'>): Promise<BlobStore> {
  if (/^s3:/i.test(url)) {
    const { openS3Blobs } = await loadOptional(() => import('../../storage/objects/s3.ts'));
    return openS3Blobs(parseS3Url(url), readS3Keys(env));
  }
  const path = URL.canParse(url) && new URL(url).protocol === 'file:' ? fileURLToPath(url) : '';
  if (!isAbsolute(path)) {
    throw makeUsageError(
      '--objects is neither the s3: address of a bucket nor the file: address of a folder that all machines share.',
      `For example file:///srv/vehi-files, or s3://vehi-files?endpoint=https://s3.example.com`,
    );
  }
  return openSharedFolder(path);
}

/** Opens the store of a database and its object storage; `objects` may be omitted if no files are read. */
export async function openSharedStore(
  { database, objects }: Pick<SharedAddresses, 'database'> & Partial<SharedAddresses>,
  connections: number,
  ctx: CliContext,
): Promise<Store> {
  const files =
    objects === undefined
      ? createDirectoryBlobs(join(tmpdir(), `vehi-${randomUUID()}`))
      : await openObjects(objects, ctx);
  const { openPostgresStore } = await import('../../storage/postgres/store.ts');
  return openPostgresStore({ url: database, connections, objects: files });
}

/**
 * Opens the store of the database or data directory for an operator's command, which needs only one connection.
 * @param needs what must be there: the service's files, its records, or nothing, if the command may begin them
 * @throws VehiError kind `usage`
 */
export async function withStore<T>(
  flags: SharedFlags,
  ctx: CliContext,
  work: (store: Store, place: string) => Promise<T>,
  needs: 'files' | 'records' | 'nothing' = 'records',
): Promise<T> {
  const database = readDatabaseAddress(flags, ctx);
  const place = database ?? findDataDirectory(readSettings(flags, ctx), ctx);
  await warnOfPassword(flags, ctx);
  const shared = needs === 'files' ? readSharedAddresses(flags, ctx) : database && { database };
  const store = await (shared ? openSharedStore(shared, 1, ctx) : openDirectory(place, needs !== 'nothing'));
  return work(store, place).finally(() => store.close());
}

async function openDirectory(directory: string, mustExist: boolean): Promise<Store> {
  const { DATABASE_FILE, openDirectoryStore } = await import('../../storage/sqlite/store.ts');
  if (mustExist && !existsSync(join(directory, DATABASE_FILE)))
    throw new VehiError('usage', 'NO_DATA', `${directory}: there is no service data here.`, {
      hint: 'Name the data directory of the service: --data DIR, or VEHI_DATA_DIR.',
    });
  return openDirectoryStore(directory);
}
