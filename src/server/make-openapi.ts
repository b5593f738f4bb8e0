import { openTemporaryStore } from '../storage/sqlite/store.ts';
import { createApp } from './app.ts';
import { createClock } from './clock.ts';
import type { Programs } from './programs.ts';
import { DEFAULT_SETTINGS } from './server-settings.ts';

/** Stub: the document needs only the names of regions and currencies, none here. */
const NO_PROGRAMS = { assessor: { regions: [], currencies: [] } } as unknown as Programs;

/** Creates the OpenAPI 3.1 document of `/v1/openapi.json` without running a service. */
export async function createOpenApiDocument(version: string): Promise<object> {
  const store = openTemporaryStore();
  const settings = { ...DEFAULT_SETTINGS, softwareVersion: version };
  const app = await createApp({ programs: NO_PROGRAMS, store, clock: createClock(), settings });
  try {
    await app.ready();
    return app.document().object;
  } finally {
    await app.close();
    await store.close();
  }
}
