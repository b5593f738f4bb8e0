import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findDataDirectory } from '../../config/settings.ts';
import { VehiError } from '../../lib/errors.ts';
import type { Store } from '../../storage/ports.ts';
import type { CliContext } from '../terminal/context.ts';
import {
  readDatabaseAddress,
  readObjectsAddress,
  type SharedFlags,
  warnOfPassword,
} from './shared-addresses.ts';
import { openSharedStore } from './shared-store.ts';

/**
 * Like `withStore`, but requires existing data of a service, including files.
 * @throws VehiError kind `usage`
 */
export async function withExistingStore<T>(
  flags: SharedFlags,
  ctx: CliContext,
  work: (store: Store, directory: string) => Promise<T>,
): Promise<T> {
  const database = readDatabaseAddress(flags, ctx);
  if (database !== undefined)
    return useDatabase({ database, ...readObjectsAddress(flags, ctx) }, flags, ctx, work);
  const { DATABASE_FILE } = await import('../../storage/sqlite/store.ts');
  const directory = findDataDirectory(flags.data, ctx);
  if (existsSync(join(directory, DATABASE_FILE))) return withStore(flags, ctx, work);
  throw new VehiError('usage', 'NO_DATA', `${directory}: there is no service data here.`, {
    hint: 'Name the data directory of the service: --data DIR, or VEHI_DATA_DIR.',
  });
}

/** Database connections of a command. */
const CONNECTIONS = 1;

async function useDatabase<T>(
  addresses: Parameters<typeof openSharedStore>[0],
  flags: SharedFlags,
  ctx: CliContext,
  work: (store: Store, name: string) => Promise<T>,
): Promise<T> {
  await warnOfPassword(flags, ctx);
  const store = await openSharedStore(addresses, CONNECTIONS);
  try {
    return await work(store, addresses.database);
  } finally {
    await store.close();
  }
}

/** Opens the store of the database or data directory for a command without file access. */
export async function withStore<T>(
  flags: SharedFlags,
  ctx: CliContext,
  work: (store: Store, directory: string) => Promise<T>,
): Promise<T> {
  const database = readDatabaseAddress(flags, ctx);
  if (database !== undefined) return useDatabase({ database }, flags, ctx, work);
  const { openDirectoryStore } = await import('../../storage/sqlite/store.ts');
  const directory = findDataDirectory(flags.data, ctx);
  const store = openDirectoryStore(directory);
  try {
    return await work(store, directory);
  } finally {
    await store.close();
  }
}
