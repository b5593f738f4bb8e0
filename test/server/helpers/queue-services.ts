import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import { photoHost, startService, type TestService } from './service.ts';

export const VISUAL = '/v1/inspections/visual';

/** Registers hooks that give each test an empty folder and end the services that it started, held up or not. */
export function useQueueServices() {
  let host: Awaited<ReturnType<typeof photoHost>>;
  let directory = '';
  let services: TestService[] = [];
  const releases: (() => void)[] = [];
  beforeAll(async () => {
    host = await photoHost();
  });
  afterAll(() => host.close());
  beforeEach(() => {
    services = [];
    directory = makeOwnFolder('queue');
  });
  afterEach(async () => {
    for (const release of releases.splice(0)) release();
    for (const service of services) await service.app.close();
  });
  return {
    get directory() {
      return directory;
    },
    /** Returns the address of a photo. */
    photo: (name: string) => `${host.url}/${name}`,
    /** Returns addresses of photos that are good. */
    good: (count = 4) => Array.from({ length: count }, (_v, i) => `${host.url}/1920x1080-${i}.jpg`),
    async start(...args: Parameters<typeof startService>): Promise<TestService> {
      const service = await startService(...args);
      services.push(service);
      return service;
    },
    /** Holds analyses up until the returned function is called. */
    hold(service: TestService): () => void {
      const release = service.backend.fake.holdUp();
      releases.push(release);
      return release;
    },
    /** Creates an inspection in the background; returns its id. */
    async begin(service: TestService, json: object): Promise<string> {
      const headers = { prefer: 'respond-async' };
      const { body } = await service.call('POST', VISUAL, { json, headers });
      return body.data.inspection_id;
    },
  };
}
