import { openMemoryStore } from '../storage/sqlite/store.ts';
import { createApp } from './app.ts';
import { createClock } from './clock.ts';
import type { Programs } from './ports.ts';
import { DEFAULT_SETTINGS } from './server-settings.ts';

const refuseWork = () => {
  throw new Error('the document is made without doing any work');
};

const NO_PROGRAMS: Programs = {
  engine: {
    inspect: refuseWork,
    lookAt: refuseWork,
    viewOf: refuseWork,
    placeBox: refuseWork,
    review: refuseWork,
  },
  models: 'unloaded',
  warmUp: refuseWork,
  modelVersion: '',
  assessor: { regions: [], currencies: [], terms: refuseWork, assess: refuseWork },
  photos: { check: refuseWork },
  artifacts: {
    draw: refuseWork,
    inspectionPdf: refuseWork,
    reviewPdf: refuseWork,
    reviewHtml: refuseWork,
    assessmentPdf: refuseWork,
    thumbnail: refuseWork,
  },
};

/** Creates the OpenAPI 3.1 document, as `/v1/openapi.json` has it, without a service. */
export async function createOpenApiDocument(version: string): Promise<object> {
  const store = openMemoryStore();
  const settings = { ...DEFAULT_SETTINGS, softwareVersion: version };
  const app = await createApp({ programs: NO_PROGRAMS, store, clock: createClock(), settings });
  try {
    await app.ready();
    return app.document.object();
  } finally {
    await app.close();
    await store.close();
  }
}
