import { randomBytes } from 'node:crypto';
import { VehiError } from '../../lib/errors.ts';
import type { BlobStore, Store } from '../ports.ts';
import { postgresAccounts, postgresKeys, postgresSessions } from './accounts.ts';
import { notedBlobs } from './blobs.ts';
import { type Database, MIGRATION_TIMEOUT_MS, openPostgres, withoutPassword } from './database.ts';
import { postgresInspections } from './inspections.ts';
import { postgresOrder } from './order.ts';
import { postgresProcesses } from './processes.ts';
import { postgresIdempotency, postgresRates } from './requests.ts';
import { postgresReviews } from './reviews.ts';
import { checkServer, migrate } from './schema.ts';
import { postgresUploads, postgresUsage } from './usage.ts';
import { postgresWebhooks } from './webhooks.ts';

function storeOver(db: Database, objects: BlobStore): Store {
  const processes = postgresProcesses(db);
  return {
    accounts: postgresAccounts(db),
    keys: postgresKeys(db),
    inspections: postgresInspections(db),
    idempotency: postgresIdempotency(db),
    rates: postgresRates(db),
    webhooks: postgresWebhooks(db),
    usage: postgresUsage(db),
    uploads: postgresUploads(db),
    reviews: postgresReviews(db),
    sessions: postgresSessions(db),
    processes,
    leases: processes,
    order: postgresOrder(db),
    pool: db.pool,
    shared: true,
    blobs: notedBlobs(db, objects),
    async secret(name) {
      const fresh = randomBytes(32).toString('base64url');
      await db.run('INSERT INTO secrets VALUES (?, ?) ON CONFLICT DO NOTHING', name, fresh);
      return (await db.row('SELECT value FROM secrets WHERE name = ?', name))?.value as string;
    },
    async facts(environment) {
      const rows = await db.rows(
        `SELECT kind, status, sum(count)::bigint AS n FROM inspection_counts
         WHERE environment = ? AND unit = 'all' GROUP BY kind, status`,
        environment,
      );
      const size = await db.row('SELECT pg_database_size(current_database()) AS bytes');
      return {
        databaseBytes: Number(size?.bytes),
        inspections: rows.map(({ kind, status, n }) => ({
          kind: String(kind),
          status: String(status),
          count: Number(n),
        })),
      };
    },
    async version() {
      const row = await db.row("SELECT current_setting('server_version') AS text");
      return String(row?.text);
    },
    async ping() {
      await db.row('SELECT 1');
    },
    async backup() {
      throw new VehiError('usage', 'INVALID_OPTION', 'a PostgreSQL database is not backed up by vehi', {
        hint: 'Use pg_dump, or the backups of its provider; copy the object store too. Redis needs none.',
      });
    },
    close: () => db.close(),
  };
}

/**
 * Opens a PostgreSQL database whose schema is made or brought up to date; `from` and `to` are its versions.
 * @throws VehiError usage/DATABASE_UNREACHABLE, usage/DATABASE_TOO_OLD, usage/DATABASE_TOO_NEW.
 */
export async function openMigrated(
  url: string,
  connections: number,
): Promise<{ readonly db: Database; readonly from: number; readonly to: number }> {
  const name = withoutPassword(url);
  const patient = await openPostgres(url, 1, { queryTimeoutMs: MIGRATION_TIMEOUT_MS });
  try {
    await checkServer(patient, name);
    const versions = await migrate(patient, name);
    return { db: await openPostgres(url, connections), ...versions };
  } finally {
    await patient.close();
  }
}

/** Opens the store of a PostgreSQL database with its files in `objects`. @throws VehiError as `openMigrated` does */
export async function openPostgresStore(options: {
  url: string;
  connections: number;
  objects: BlobStore;
}): Promise<Store> {
  const { db } = await openMigrated(options.url, options.connections);
  return storeOver(db, options.objects);
}
