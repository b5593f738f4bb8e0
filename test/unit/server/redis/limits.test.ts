// @module-tag slow: a Redis Cluster is started
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseRedisUrl } from '../../../../src/server/redis/address.ts';
import { connectRedis, createServerReader } from '../../../../src/server/redis/connect.ts';
import {
  createRedisAnonymousLimiter,
  createRedisGate,
  createRedisRates,
} from '../../../../src/server/redis/limits.ts';
import { acquireSlot } from '../../../../src/server/redis/semaphore.ts';
import { type RedisServer, redisMissing, startRedis } from '../../../helpers/services/redis.ts';

describe.skipIf(redisMissing)('limits over two processes', () => {
  let server: RedisServer;
  let clients: [Redis, Redis];
  const parts = (client: Redis) => ({ client, prefix: '{vehi}:limits:test', countProcesses: () => 2 });
  const NOON = Date.UTC(2026, 0, 1, 12, 30);

  beforeAll(async () => {
    server = await startRedis();
    const address = parseRedisUrl(server.url);
    clients = [await connectRedis(address), await connectRedis(address)];
  });
  afterAll(async () => {
    for (const client of clients) client.disconnect();
    await server.stop();
  });

  it('grant exactly 1,000 requests of the hour, whoever asks, and say where an account stands', async () => {
    // They wait for Redis as long as it takes: on a busy machine a late answer must not count as a server that is away.
    const patient = [1, 2].map(() => new Redis({ path: new URL(server.url).pathname, lazyConnect: true }));
    for (const client of patient) await client.connect();
    const [a, b] = patient.map((client) => createRedisRates(parts(client)));
    let allowed = 0;
    const caller = async (rates: typeof a) => {
      for (let i = 0; i < 75; i++) if ((await rates?.take('acc', 1_000, NOON))?.allowed) allowed++;
    };
    await Promise.all(Array.from({ length: 20 }, (_v, i) => caller(i % 2 === 0 ? a : b)));
    expect(allowed).toBe(1_000);
    expect(await a?.peek('acc', 1_000, NOON)).toEqual({
      allowed: true,
      limit: 1_000,
      used: 1_000,
      resetMs: 1_800_000,
    });
    expect(await b?.take('acc', 1_000, NOON + 3_600_000)).toMatchObject({ allowed: true, used: 1 });
    expect(await b?.take('other', null, NOON)).toMatchObject({ allowed: true, limit: null, used: 1 });
    for (const client of patient) client.disconnect();
  }, 60_000);

  it('bound creations over both, and free the place that is left', async () => {
    const [a, b] = clients.map((client) => createRedisGate(parts(client)));
    const leave = await a?.enter('acc', 1, 'creation');
    expect(leave).toBeDefined();
    expect(await b?.enter('acc', 1, 'creation')).toBeUndefined();
    leave?.();
    await expect.poll(() => b?.enter('acc', 1, 'creation')).toBeDefined();
  });

  it('hold a place through the loss of all that Redis held', async () => {
    const [client] = clients;
    const place = () => acquireSlot({ client, key: 'test:held', limit: 1, lockMs: 600 });
    const giveBack = await place();
    const asked = vi.spyOn(client, 'evalsha');
    await server.kill();
    // It is renewed in vain: that must not be an error that nobody catches.
    await expect.poll(() => asked.mock.calls.length).toBeGreaterThan(1);
    asked.mockRestore();
    await server.start();
    await expect.poll(() => client.zcard('semaphore:test:held').catch(() => 0)).toBe(1);
    expect(await place()).toBeUndefined();
    giveBack?.();
    await expect.poll(() => client.zcard('semaphore:test:held')).toBe(0);
  });

  it('give each process its share of what is answered at once', async () => {
    const gate = createRedisGate(parts(clients[0]));
    const entered = await Promise.all([1, 2, 3].map(() => gate.enter('acc', 4, 'light')));
    expect(entered.map((leave) => leave !== undefined)).toEqual([true, true, false]);
  });

  it('count callers without a key by address, IPv6 by network, and no address is to be read there', async () => {
    const anonymousCallers = createRedisAnonymousLimiter(parts(clients[0]), 2, 'secret');
    const take = async (address: string) => (await anonymousCallers.take(address, 'keys', NOON)).allowed;
    expect([await take('2001:db8::1'), await take('2001:db8:0:0:1::2'), await take('2001:db8::3')]).toEqual([
      true,
      true,
      false,
    ]);
    expect([await take('2001:db8:1::1'), await take('192.0.2.1')]).toEqual([true, true]);
    expect((await anonymousCallers.take('192.0.2.1', 'none', NOON)).used).toBe(0);
    expect((await clients[0].keys('*')).join()).not.toMatch(/2001|192/);
  });

  it('are counted in memory, each process its share, while Redis is away', async () => {
    let substituted = 0;
    const counting = { ...parts(clients[0]), onFallback: () => void substituted++ };
    const rates = createRedisRates(counting);
    const gate = createRedisGate(counting);
    const readServer = createServerReader(clients[0]);
    const before = await readServer();
    expect(before).toMatchObject({ up: true, restarts: 0 });
    expect(before.memoryMaxBytes).toBeGreaterThan(before.memoryBytes);
    await server.kill();
    const states = [];
    for (let i = 0; i < 12; i++) states.push(await rates.take('away', 10, NOON));
    expect(states.filter(({ allowed }) => allowed)).toHaveLength(5);
    const entered = [await gate.enter('away', 2, 'creation'), await gate.enter('away', 2, 'creation')];
    expect(entered.map((leave) => leave !== undefined)).toEqual([true, false]);
    expect(substituted).toBe(14);
    expect(await readServer()).toMatchObject({ up: false, restarts: 0 });
    await server.start();
    await expect.poll(readServer).toMatchObject({ up: true, restarts: 1 });
  });

  it('wait for a server that hangs once, not at each request', async () => {
    await expect.poll(() => clients[0].ping().catch(() => '')).toBe('PONG');
    server.hang();
    try {
      await expect(clients[0].ping()).rejects.toThrow('Command timed out');
      await expect.poll(() => clients[0].status).not.toBe('ready');
      await expect(clients[0].get('x')).rejects.toThrow(/Stream isn't writeable|Connection is closed/);
    } finally {
      server.resume();
    }
    await expect.poll(() => clients[0].ping().catch(() => '')).toBe('PONG');
  }, 60_000);

  it('need a server that keeps what it is given', async () => {
    await expect.poll(() => clients[0].ping().catch(() => '')).toBe('PONG');
    await clients[0].config('SET', 'maxmemory-policy', 'allkeys-lru');
    await expect(connectRedis(parseRedisUrl(server.url))).rejects.toMatchObject({ code: 'REDIS_UNSUITABLE' });
    await server.kill();
    await expect(connectRedis(parseRedisUrl(server.url))).rejects.toMatchObject({
      code: 'REDIS_UNREACHABLE',
    });
  });
});

it.skipIf(redisMissing)(
  'in a Redis Cluster the node of their slot counts, and another is refused',
  async () => {
    const [holder, other] = [await startRedis({ cluster: 'all' }), await startRedis({ cluster: 'none' })];
    const address = parseRedisUrl(holder.url);
    const client = await connectRedis(address);
    try {
      const parts = { client, prefix: `${address.keyPrefix}:limits:test`, countProcesses: () => 1 };
      const nowMs = Date.UTC(2026, 0, 1, 12, 30);
      expect(await createRedisRates(parts).take('acc', 5, nowMs)).toMatchObject({ allowed: true, used: 1 });
      const callers = createRedisAnonymousLimiter(parts, 5, 'secret');
      expect(await callers.take('192.0.2.1', 'keys', nowMs)).toMatchObject({ allowed: true, used: 1 });
      const leave = await createRedisGate(parts).enter('acc', 1, 'creation');
      expect(leave).toBeDefined();
      leave?.();
      await client.cluster('MEET', '127.0.0.1', other.port);
      const refused = () =>
        connectRedis(parseRedisUrl(other.url)).then(String, (error: Error) => error.message);
      await expect
        .poll(refused, { timeout: 30_000 })
        .toMatch(`keys that begin with {vehi} are at 127.0.0.1:${holder.port}`);
    } finally {
      client.disconnect();
      await Promise.all([holder.stop(), other.stop()]);
    }
  },
  60_000,
);
