import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseRedisUrl } from '../../src/server/redis/address.ts';
import { connectRedis } from '../../src/server/redis/connect.ts';
import { startWatchedRedis, type WatchedRedis } from '../helpers/services/sentinel.ts';
import { photoHost, visualRequest } from '../server/helpers/service.ts';
import { ask, type Cluster, clusterMissing, type Member, startCluster } from './cluster.ts';

const VISUAL = '/v1/inspections/visual';

describe.skipIf(clusterMissing)('a service whose Redis is watched by a Sentinel', () => {
  let watched: WatchedRedis;
  let cluster: Cluster;
  let host: Awaited<ReturnType<typeof photoHost>>;
  let member: Member;

  beforeAll(async () => {
    [host, watched] = await Promise.all([photoHost(), startWatchedRedis()]);
    cluster = await startCluster({ watched });
    member = await cluster.addMember('serve', { settings: { workers: 2 } });
  }, 120_000);
  afterAll(async () => {
    await cluster.stop();
    await watched.stop();
    await host.close();
  }, 120_000);

  it('does what was created while the primary was dead once its replica has taken over', async () => {
    const key = await cluster.makeKey();
    const images = Array.from({ length: 4 }, (_v, i) => `${host.url}/1920x1080-${i}.jpg`);
    const create = async () => {
      const headers = { prefer: 'respond-async' };
      const answer = await ask(member, 'POST', VISUAL, { key, body: visualRequest(images), headers });
      // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely.
      return [answer?.status, (answer as any)?.body.data?.inspection_id];
    };
    const before = await create();
    const open = async () => (await cluster.store.inspections.listUnfinished('sandbox')).length;
    await expect.poll(open, { timeout: 60_000 }).toBe(0);
    await watched.killPrimary();
    const during = await Promise.all([create(), create(), create()]);
    await expect.poll(open, { timeout: 60_000 }).toBe(0);
    const after = await create();
    await expect.poll(open, { timeout: 60_000 }).toBe(0);
    const all = [before, ...during, after];
    expect(all.map(([status]) => status)).toEqual([202, 202, 202, 202, 202]);
    const records = await Promise.all(all.map(([, id]) => cluster.store.inspections.get(id)));
    expect(records.map((record) => record?.status)).toEqual(all.map(() => 'completed'));
    const client = await connectRedis(parseRedisUrl(watched.url, watched.passwords));
    try {
      const keys = await client.keys('*');
      expect(keys.length).toBeGreaterThan(0);
      expect(keys.filter((name) => !name.startsWith('{try}:'))).toEqual([]);
    } finally {
      client.disconnect();
    }
  }, 240_000);

  it.each<[string, (watched: WatchedRedis) => [url: string, wrong?: object], object]>([
    [
      'another name of the primary',
      ({ url }) => [url.replace('vehi-primary', 'no-primary')],
      { code: 'REDIS_UNREACHABLE', message: expect.stringContaining('know no primary called "no-primary"') },
    ],
    [
      'another password of the Sentinel',
      ({ url }) => [url, { sentinel: 'no' }],
      { code: 'REDIS_UNREACHABLE', hint: expect.stringContaining('VEHI_SENTINEL_PASSWORD') },
    ],
    [
      'a Sentinel for a server',
      ({ sentinelUrl, passwords }) => [sentinelUrl, { redis: passwords.sentinel }],
      { code: 'REDIS_UNSUITABLE', message: expect.stringContaining('this is a Sentinel') },
    ],
  ])('is refused %s', async (_name, wrong, error) => {
    const [url, passwords] = wrong(watched);
    const address = parseRedisUrl(url, { ...watched.passwords, ...passwords });
    await expect(connectRedis(address)).rejects.toMatchObject(error);
  });
});
