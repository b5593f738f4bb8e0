import pg from 'pg';
import { inject } from 'vitest';
import type { QueueParts, WorkQueue } from '../../../src/server/work/queue.ts';
import { createSharedQueue } from '../../../src/server/work/shared-queue.ts';
import { createDirectoryBlobs } from '../../../src/storage/directory-blobs.ts';
import type { Store } from '../../../src/storage/ports.ts';
import { openPostgresStore } from '../../../src/storage/postgres/store.ts';
import { openTemporaryStore } from '../../../src/storage/sqlite/store.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import { SHORT_TIMING } from './stand-in.ts';

/**
 * Services of tests share PostgreSQL and a folder, as those on several machines do. Tests are skipped where these do
 * otherwise: they bound requests apart from creations, give one account half of the queue, and their housekeeping is
 * done by another process than the one that the test plays.
 */
export const onCluster = process.env.VEHI_TEST_STORE === 'cluster';

const databaseOf = new WeakMap<Store, string>();
let made = 0;

/** Asks the server of the databases, outside of them. */
async function ask(sql: string): Promise<void> {
  const { template } = inject('clusterServers');
  const client = new pg.Client({ connectionString: template.replace(/\/[^/?]+\?/, '/postgres?') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Opens an empty store: in memory, or on a database and in a folder of its own. */
export const openEmptyStore = async (): Promise<Store> =>
  onCluster ? openClusterStore() : openTemporaryStore();

/** Opens an empty store on a database and a folder of its own, which are gone when it is closed. */
async function openClusterStore(): Promise<Store> {
  const { template } = inject('clusterServers');
  const [, templateName = ''] = /\/([^/?]+)\?/.exec(template) ?? [];
  const name = `service_${process.pid}_${++made}`;
  await ask(`CREATE DATABASE ${name} TEMPLATE ${templateName}`);
  const directory = makeOwnFolder('shared');
  const url = template.replace(templateName, name);
  const store = await openPostgresStore({
    url,
    connections: 10,
    objects: createDirectoryBlobs(directory),
  });
  const { close } = store;
  Object.assign(store, {
    async close() {
      await close();
      await ask(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  });
  databaseOf.set(store, url);
  return store;
}

/** What opens the queue of all services of that store; undefined where it is one of a single process. */
export function queueFor(store: Store): ((parts: QueueParts) => WorkQueue) | undefined {
  const url = databaseOf.get(store);
  return url === undefined ? undefined : (parts) => createSharedQueue(parts, url, SHORT_TIMING);
}
