import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { inject } from 'vitest';
import type { ServerSettings } from '../../../src/server/server-settings.ts';
import type { SharedBackends } from '../../../src/server/services.ts';
import { openRedisBackends } from '../../../src/server/shared-backends.ts';
import { createDirectoryBlobs } from '../../../src/storage/directory-blobs.ts';
import type { Store } from '../../../src/storage/ports.ts';
import { openPostgresStore } from '../../../src/storage/postgres/store.ts';

/** Services of tests share PostgreSQL, Redis and a folder, as those on several machines do. */
export const onCluster = process.env.VEHI_TEST_STORE === 'cluster';

/** Databases of Redis for one file of tests; files run side by side, and a test may run several services. */
const DATABASES = 100;
/** Files that run side by side at most. */
const FILES = 10;
const TIMES = { lockMs: 3_000, stalledCheckMs: 1_000, sweepMs: 1_000, settledMs: 1_000 };

const redisOf = new WeakMap<Store, string>();
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

/** Opens an empty store on a database and a folder of its own, which are gone when it is closed. */
export async function openClusterStore(): Promise<Store> {
  const { template, redis } = inject('clusterServers');
  const [, templateName = ''] = /\/([^/?]+)\?/.exec(template) ?? [];
  const name = `service_${process.pid}_${++made}`;
  await ask(`CREATE DATABASE ${name} TEMPLATE ${templateName}`);
  const directory = mkdtempSync(join(tmpdir(), 'vehi-shared-'));
  const store = await openPostgresStore({
    url: template.replace(templateName, name),
    connections: 10,
    objects: createDirectoryBlobs(directory),
  });
  const file = (Number(process.env.VITEST_POOL_ID) || 0) % FILES;
  const database = file * DATABASES + (made % DATABASES);
  const url = `${redis}?db=${database}`;
  const client = new Redis({ path: new URL(redis).pathname, db: database });
  await client.flushdb();
  client.disconnect();
  const { close } = store;
  Object.assign(store, {
    async close() {
      await close();
      await ask(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      rmSync(directory, { recursive: true, force: true });
    },
  });
  redisOf.set(store, url);
  return store;
}

/** What counts and hands out work over all services of that store; undefined where it is one of a single process. */
export async function backendsFor(
  store: Store,
  settings: ServerSettings,
): Promise<SharedBackends | undefined> {
  const url = redisOf.get(store);
  return url === undefined ? undefined : openRedisBackends({ url, store, settings, timing: TIMES });
}
