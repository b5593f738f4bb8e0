import { VehiError } from '../../lib/errors.ts';
import type { BlobStore, Store } from '../ports.ts';
import { createStores } from '../sql/stores.ts';
import { hidePassword, MIGRATION_TIMEOUT_MS, openPostgres, type PostgresDatabase } from './database.ts';
import { adaptPostgres } from './dialect.ts';
import { createPostgresProcesses, createPostgresSlots } from './processes.ts';
import { withRecordedOwners } from './recorded-owners.ts';
import { checkServer, migrate } from './schema.ts';

function createStore(db: PostgresDatabase, objects: BlobStore): Store {
  const processes = createPostgresProcesses(db);
  return {
    ...createStores(adaptPostgres(db)),
    processes,
    leases: processes,
    slots: createPostgresSlots(db),
    shared: true,
    blobs: withRecordedOwners(db, objects),
    async ping() {
      await db.get('SELECT 1');
    },
    async backup() {
      throw new VehiError('usage', 'INVALID_OPTION', 'a PostgreSQL database is not backed up by vehi.', {
        hint: 'Use pg_dump, or the backups of its provider; copy the object store too.',
      });
    },
    close: () => db.close(),
  };
}

/**
 * Opens the store of a PostgreSQL database, whose schema it creates or migrates, with its files in `objects`.
 * @throws VehiError usage/DATABASE_UNREACHABLE, usage/DATABASE_TOO_OLD, usage/DATABASE_TOO_NEW.
 */
export async function openPostgresStore(options: {
  url: string;
  connections: number;
  objects: BlobStore;
}): Promise<Store> {
  const name = hidePassword(options.url);
  const migrator = await openPostgres(options.url, 1, { queryTimeoutMs: MIGRATION_TIMEOUT_MS });
  try {
    await checkServer(migrator, name);
    await migrate(migrator, name);
    return createStore(await openPostgres(options.url, options.connections), options.objects);
  } finally {
    await migrator.close();
  }
}
