import { VehiError } from '../../lib/errors.ts';
import type { BlobStore, RecordStore, Store } from '../ports.ts';
import type { SqlDatabase } from '../sql/database.ts';
import { createStores } from '../sql/stores.ts';
import { assignTag } from './assign-tag.ts';
import { hidePassword, MIGRATION_TIMEOUT_MS, openPostgres } from './database.ts';
import { createPostgresProcesses } from './processes.ts';
import { withRecordedOwners } from './recorded-owners.ts';
import { checkServer, migrate } from './schema.ts';
import { createPostgresSlots } from './slots.ts';

function createRecordStore(db: SqlDatabase): RecordStore {
  return {
    ...createStores(db, assignTag),
    processes: createPostgresProcesses(db),
    slots: createPostgresSlots(db),
    shared: true,
    async ping() {
      await db.get('SELECT 1');
    },
    async backup() {
      throw new VehiError('usage', 'INVALID_OPTION', 'a PostgreSQL database is not backed up by vehi.', {
        hint: 'Use pg_dump, or the backups of its provider; copy the object store too.',
      });
    },
    close: db.close,
  };
}

/**
 * Opens a PostgreSQL database, whose schema it creates or migrates.
 * @throws VehiError usage/DATABASE_UNREACHABLE, usage/DATABASE_TOO_OLD, usage/DATABASE_TOO_NEW.
 */
async function openMigrated(url: string, connections: number): Promise<SqlDatabase> {
  const name = hidePassword(url);
  const migrator = await openPostgres(url, 1, { queryTimeoutMs: MIGRATION_TIMEOUT_MS });
  try {
    await checkServer(migrator, name);
    await migrate(migrator, name);
    return await openPostgres(url, connections);
  } finally {
    await migrator.close();
  }
}

/** Opens the records of a PostgreSQL database without the files. @throws like `openMigrated` */
export const openPostgresRecords = async (url: string, connections: number): Promise<RecordStore> =>
  createRecordStore(await openMigrated(url, connections));

/** Opens the store of a PostgreSQL database with its files in `objects`. @throws like `openMigrated` */
export async function openPostgresStore(options: {
  url: string;
  connections: number;
  objects: BlobStore;
}): Promise<Store> {
  const db = await openMigrated(options.url, options.connections);
  return { ...createRecordStore(db), blobs: withRecordedOwners(db, options.objects) };
}
