import { afterAll, beforeAll } from 'vitest';
import { createDirectoryBlobs } from '../../../src/storage/directory-blobs.ts';
import type { Store } from '../../../src/storage/ports.ts';
import { openPostgresStore } from '../../../src/storage/postgres/store.ts';
import { makeOwnFolder } from '../temporary-folder.ts';
import { clearDatabase, type PostgresServer, postgresMissing, startPostgres } from './postgres.ts';

/** Starts PostgreSQL for the tests of a file, where it is installed; returns what opens an empty store on it. */
export function useEmptyPostgres(): () => Promise<Store> {
  let server: PostgresServer | undefined;
  let url = '';
  beforeAll(() => {
    if (postgresMissing) return;
    server = startPostgres();
    url = server.createDatabase();
  }, 60_000);
  afterAll(() => server?.stop());
  return async () => {
    const objects = createDirectoryBlobs(makeOwnFolder('objects'));
    const store = await openPostgresStore({ url, connections: 4, objects });
    await clearDatabase(url);
    return store;
  };
}
