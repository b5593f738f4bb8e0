import { tmpdir } from 'node:os';
import type { TestProject } from 'vitest/node';
import { createDirectoryBlobs } from '../../../src/storage/directory-blobs.ts';
import { openPostgresStore } from '../../../src/storage/postgres/store.ts';
import { startPostgres } from '../../helpers/services/postgres.ts';
import { startRedis } from '../../helpers/services/redis.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The database whose copies services get, and the server that counts for them. */
    clusterServers: { readonly template: string; readonly redis: string };
  }
}

/** Starts PostgreSQL and Redis once for all files of `VEHI_TEST_STORE=cluster`. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (process.env.VEHI_TEST_STORE !== 'cluster') return undefined;
  const postgres = startPostgres();
  const redis = await startRedis();
  const template = postgres.createDatabase();
  await (
    await openPostgresStore({ url: template, connections: 1, objects: createDirectoryBlobs(tmpdir()) })
  ).close();
  project.provide('clusterServers', { template, redis: redis.url });
  return async () => {
    await redis.stop();
    postgres.stop();
  };
}
