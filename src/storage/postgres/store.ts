import { VehiError } from '../../lib/errors.ts';
import type { BlobStore, Store } from '../ports.ts';
import { createStores } from '../sql/stores.ts';
import { withRecordedOwners } from './blobs.ts';
import { type Database, hidePassword, MIGRATION_TIMEOUT_MS, openPostgres } from './database.ts';
import { adaptPostgres } from './dialect.ts';
import { createPostgresProcesses, createPostgresSlots } from './processes.ts';
import { checkServer, migrate } from './schema.ts';

function createStore(db: Database, objects: BlobStore): Store {
  const processes = createPostgresProcesses(db);
  const { countInspections, ...stores } = createStores(adaptPostgres(db));
  return {
    ...stores,
    processes,
    leases: processes,
    slots: createPostgresSlots(db),
    shared: true,
    blobs: withRecordedOwners(db, objects),
    async getStats(environment) {
      const size = await db.get('SELECT pg_database_size(current_database()) AS bytes');
      return { databaseBytes: Number(size?.bytes), inspections: await countInspections(environment) };
    },
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
 * Opens a PostgreSQL database and creates or migrates its schema; `from` and `to` are the schema versions.
 * @throws VehiError usage/DATABASE_UNREACHABLE, usage/DATABASE_TOO_OLD, usage/DATABASE_TOO_NEW.
 */
async function openMigratedDatabase(
  url: string,
  connections: number,
): Promise<{ readonly db: Database; readonly from: number; readonly to: number }> {
  const name = hidePassword(url);
  const migrator = await openPostgres(url, 1, { queryTimeoutMs: MIGRATION_TIMEOUT_MS });
  try {
    await checkServer(migrator, name);
    const versions = await migrate(migrator, name);
    return { db: await openPostgres(url, connections), ...versions };
  } finally {
    await migrator.close();
  }
}

/** Opens the store of a PostgreSQL database with its files in `objects`. @throws VehiError like `openMigratedDatabase` */
export async function openPostgresStore(options: {
  url: string;
  connections: number;
  objects: BlobStore;
}): Promise<Store> {
  const { db } = await openMigratedDatabase(options.url, options.connections);
  return createStore(db, options.objects);
}
