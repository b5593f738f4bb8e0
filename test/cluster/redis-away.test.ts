import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOCK_TIMES } from '../../src/server/work/shared-queue.ts';
import { photoHost, visualRequest } from '../server/helpers/service.ts';
import { ask, type Cluster, clusterMissing, type Member, startCluster } from './cluster.ts';

/** The times of production, which the other tests shorten. */
const times = LOCK_TIMES;
/** Work that waits for the sweep waits 10 seconds and longer. */
const SOON_MS = 8_000;

describe.skipIf(clusterMissing)(
  'a process that serves and one that works, with the times of production',
  () => {
    let cluster: Cluster;
    let host: Awaited<ReturnType<typeof photoHost>>;
    let serving: Member;
    let working: Member;

    beforeAll(async () => {
      [host, cluster] = await Promise.all([photoHost(), startCluster()]);
      [serving, working] = await Promise.all([
        cluster.addMember('serve', { times }),
        cluster.addMember('work', { times }),
      ]);
    }, 120_000);
    afterAll(async () => {
      await cluster.stop();
      await host.close();
    }, 120_000);

    it.each([
      ['stays', 0],
      ['is killed, and starts while it is away', 500],
      ['is killed, and starts as it goes away', 1_200],
    ])(
      'do what was created while Redis was away soon after it is back, empty: the worker %s',
      async (_how, aliveMs) => {
        const key = await cluster.makeKey();
        const images = Array.from({ length: 4 }, (_v, i) => `${host.url}/1920x1080-${i}.jpg`);
        const create = async (): Promise<string> => {
          const headers = { prefer: 'respond-async' };
          const answer = await ask(serving, 'POST', '/v1/inspections/visual', {
            ...{ key, body: visualRequest(images), headers },
          });
          // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely.
          return (answer as any)?.body.data.inspection_id;
        };
        let started = Promise.resolve();
        if (aliveMs > 0) {
          await working.kill();
          started = working.start();
          await sleep(aliveMs);
        }
        await cluster.redis.kill();
        const ids = [await create(), await create()];
        await sleep(1_000);
        await cluster.redis.start();
        await started;
        ids.push(await create());
        const open = async () => (await cluster.store.inspections.listUnfinished('sandbox')).length;
        await expect.poll(open, { timeout: SOON_MS }).toBe(0);
        const records = await Promise.all(ids.map((id) => cluster.store.inspections.get(id)));
        expect(records.map((record) => record?.status)).toEqual(['completed', 'completed', 'completed']);
      },
      60_000,
    );
  },
);
