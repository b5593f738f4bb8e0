import { stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findDataDirectory, readSettings } from '../../config/settings.ts';
import { makeUsageError, toReason, VehiError } from '../../lib/errors.ts';
import { loadOptional } from '../../lib/missing-packages.ts';
import { openSharedFolder } from '../../storage/directory-blobs.ts';
import { parseS3Url, readS3Keys } from '../../storage/objects/s3-address.ts';
import type { BlobStore, RecordStore, Store } from '../../storage/ports.ts';
import type { CliContext } from '../terminal/context.ts';
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
    const { openS3Blobs } = await loadOptional('an s3: address', () => import('../../storage/objects/s3.ts'));
    return openS3Blobs(parseS3Url(url), readS3Keys(env));
  }
  const isLocal = /^file:\/\/\//i.test(url) && URL.canParse(url) && !/%2f/i.test(url);
  const path = isLocal ? fileURLToPath(url) : '';
  if (!isAbsolute(path))
    throw makeUsageError(
      '--objects is neither the s3: address of a bucket nor the file: address of a folder that all machines share.',
      `For example file:///srv/vehi-files, or s3://vehi-files?endpoint=https://s3.example.com`,
    );
  return openSharedFolder(path);
}

/** Opens the store of a shared database and its object storage. @throws VehiError kind `usage` */
export async function openSharedStore(
  { database, objects }: SharedAddresses,
  connections: number,
  ctx: CliContext,
): Promise<Store> {
  const { openPostgresStore } = await import('../../storage/postgres/store.ts');
  return openPostgresStore({ url: database, connections, objects: await openObjects(objects, ctx) });
}

/**
 * Runs an operator's command, which needs only one connection, on the records in the database or data directory.
 * @param options.mustExist false if the command may begin a data directory
 * @throws VehiError kind `usage`
 */
export async function withRecords<T>(
  flags: SharedFlags,
  ctx: CliContext,
  work: (store: RecordStore) => Promise<T>,
  { mustExist }: { readonly mustExist?: boolean } = {},
): Promise<T> {
  const database = readDatabaseAddress(flags, ctx);
  await warnOfPassword(flags, ctx);
  if (database === undefined) return run(await openDirectory(flags, ctx, mustExist), work);
  const { openPostgresRecords } = await import('../../storage/postgres/store.ts');
  return run(await openPostgresRecords(database, 1), work);
}

/** Runs an operator's command on the records and files of a service. @throws VehiError kind `usage` */
export async function withFiles<T>(flags: SharedFlags, ctx: CliContext, work: (store: Store) => Promise<T>) {
  const shared = readSharedAddresses(flags, ctx);
  await warnOfPassword(flags, ctx);
  return run(await (shared ? openSharedStore(shared, 1, ctx) : openDirectory(flags, ctx)), work);
}

const run = <S extends RecordStore, T>(store: S, work: (store: S) => Promise<T>): Promise<T> =>
  work(store).finally(() => store.close());

async function openDirectory(flags: SharedFlags, ctx: CliContext, mustExist = true): Promise<Store> {
  const directory = findDataDirectory(readSettings(flags, ctx), ctx);
  const { DATABASE_FILE, openDirectoryStore } = await import('../../storage/sqlite/store.ts');
  if (mustExist)
    await stat(join(directory, DATABASE_FILE)).catch((cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'ENOENT' ? 'there is no service data here' : toReason(cause);
      throw new VehiError('usage', 'NO_DATA', `${directory}: ${why}.`, {
        hint: 'Name the data directory of the service, as a user who may read it: --data DIR, or VEHI_DATA_DIR.',
      });
    });
  return openDirectoryStore(directory);
}
