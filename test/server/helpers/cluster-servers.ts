import { tmpdir } from 'node:os';
import type { TestProject } from 'vitest/node';
import { migrateQueue } from '../../../src/server/work/shared-queue.ts';
import { createDirectoryBlobs } from '../../../src/storage/directory-blobs.ts';
import { openPostgresStore } from '../../../src/storage/postgres/store.ts';
import { startPostgres } from '../../helpers/services/postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The database whose copies services get. */
    clusterServers: { readonly template: string };
  }
}

/** Starts PostgreSQL once for all files of `VEHI_TEST_STORE=cluster`. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (process.env.VEHI_TEST_STORE !== 'cluster') return undefined;
  const postgres = startPostgres();
  const template = postgres.createDatabase();
  await (
    await openPostgresStore({ url: template, connections: 1, objects: createDirectoryBlobs(tmpdir()) })
  ).close();
  await migrateQueue(template);
  project.provide('clusterServers', { template });
  return async () => postgres.stop();
}
