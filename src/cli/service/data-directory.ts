import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findDataDirectory } from '../../config/settings.ts';
import { VehiError } from '../../lib/errors.ts';
import type { Store } from '../../storage/ports.ts';
import type { CliContext } from '../terminal/context.ts';
import {
  readDatabaseAddress,
  readSharedAddresses,
  type SharedFlags,
  warnOfPassword,
} from './shared-addresses.ts';
import { openSharedStore } from './shared-store.ts';

/** Database connections of a command. */
const CONNECTIONS = 1;

/**
 * Opens the store of the database or data directory for a command.
 * @param needsFiles requires existing data of a service, with its files
 * @throws VehiError kind `usage`
 */
export async function withStore<T>(
  flags: SharedFlags,
  ctx: CliContext,
  work: (store: Store, place: string) => Promise<T>,
  needsFiles = false,
): Promise<T> {
  const database = readDatabaseAddress(flags, ctx);
  const place = database ?? findDataDirectory(flags.data, ctx);
  await warnOfPassword(flags, ctx);
  const shared = needsFiles ? readSharedAddresses(flags, ctx) : database && { database };
  const store = await (shared ? openSharedStore(shared, CONNECTIONS, ctx) : openDirectory(place, needsFiles));
  try {
    return await work(store, place);
  } finally {
    await store.close();
  }
}

async function openDirectory(directory: string, mustExist: boolean): Promise<Store> {
  const { DATABASE_FILE, openDirectoryStore } = await import('../../storage/sqlite/store.ts');
  if (mustExist && !existsSync(join(directory, DATABASE_FILE)))
    throw new VehiError('usage', 'NO_DATA', `${directory}: there is no service data here.`, {
      hint: 'Name the data directory of the service: --data DIR, or VEHI_DATA_DIR.',
    });
  return openDirectoryStore(directory);
}
