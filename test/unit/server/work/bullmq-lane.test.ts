// @module-tag slow: a Redis is started and stopped
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createMetrics } from '../../../../src/server/metrics.ts';
import { parseRedisUrl } from '../../../../src/server/redis/address.ts';
import { connectRedis } from '../../../../src/server/redis/connect.ts';
import { createQueueConnections } from '../../../../src/server/redis/queue-connections.ts';
import { createLane } from '../../../../src/server/work/bullmq-lane.ts';
import { LOST } from '../../../../src/server/work/port.ts';
import { redisMissing, startRedis } from '../../../helpers/services/redis.ts';

const NAME = 'inspections';
const timing = { lockMs: 600, stalledCheckMs: 300, sweepMs: 60_000, settledMs: 60_000 };

it.skipIf(redisMissing)(
  'work whose lock is lost is aborted, counted, and handed out again',
  async () => {
    const server = await startRedis();
    const address = parseRedisUrl(server.url);
    const client: Redis = await connectRedis(address);
    const metrics = createMetrics();
    const watching = { metrics, log: pino({ level: 'silent' }) };
    const lane = createLane(NAME, {
      connections: createQueueConnections(address.options, client),
      prefix: '{vehi}:test',
      timing,
      retryMs: 1,
    });
    const counted = async (counter: 'stalled' | 'locksLost') =>
      (await metrics[counter].get()).values.find(({ labels }) => labels.queue === NAME)?.value;
    const reasons: unknown[] = [];
    try {
      lane.start(
        1,
        async (id, signal) => {
          if (reasons.length > 0) return 'ended';
          await client.del(`{vehi}:test:${NAME}:${id}:lock`);
          await new Promise((done) => signal.addEventListener('abort', done));
          reasons.push(signal.reason);
          return 'ended';
        },
        watching,
      );
      await lane.add([{ id: 'vis_1', priority: 1 }]);
      const left = async () => Object.values(await lane.queue.getJobCounts()).reduce((a, b) => a + b, 0);
      await expect.poll(left, { timeout: 30_000 }).toBe(0);
      expect(reasons).toEqual([LOST]);
      // A busy machine may renew a lock too late once more.
      expect(await counted('locksLost')).toBeGreaterThanOrEqual(1);
      expect(await counted('stalled')).toBeGreaterThanOrEqual(1);
    } finally {
      await lane.close();
      client.disconnect();
      await server.stop();
    }
  },
  60_000,
);

it.skipIf(redisMissing)(
  'a queue and its worker end though their server is gone',
  async () => {
    const server = await startRedis();
    const address = parseRedisUrl(server.url);
    const client = await connectRedis(address);
    const connections = createQueueConnections(address.options, client);
    const lane = createLane(NAME, { connections, prefix: '{vehi}:test', timing, retryMs: 1 });
    const ended: string[] = [];
    const run = async (id: string) => {
      ended.push(id);
      return 'ended' as const;
    };
    // As the caller does, who logs them.
    lane.queue.on('error', () => undefined);
    lane.start(1, run, { metrics: createMetrics(), log: pino({ level: 'silent' }) });
    await lane.add([{ id: 'vis_1', priority: 1 }]);
    await expect.poll(() => ended, { timeout: 30_000 }).toEqual(['vis_1']);
    await server.stop();
    await lane.close();
    client.disconnect();
    // Nothing is asked any more: the tries to connect would go on without end.
    await expect(lane.add([{ id: 'vis_2', priority: 1 }])).rejects.toThrow();
  },
  60_000,
);

it.skipIf(redisMissing)(
  'takes work though the server went away when it was asked its version',
  async () => {
    const server = await startRedis();
    const path = server.url.slice('unix://'.length);
    let away = false;
    let cutsSecondInfo = false;
    // The first INFO of a connection is ioredis's, which asks whether the server is ready, the second BullMQ's.
    const door = createServer((incoming) => {
      if (away) return void incoming.destroy();
      const outgoing = connect(path);
      let infos = 0;
      incoming.on('data', (bytes) => {
        infos += String(bytes).match(/\$4\r\ninfo\r\n/gi)?.length ?? 0;
        away ||= cutsSecondInfo && infos > 1;
        if (away) incoming.destroy();
        else outgoing.write(bytes);
      });
      outgoing.on('data', (bytes) => incoming.write(bytes));
      for (const [one, other] of [
        [incoming, outgoing],
        [outgoing, incoming],
      ] as const) {
        one.on('error', () => undefined);
        one.on('close', () => other.destroy());
      }
    }).listen(0, '127.0.0.1');
    await once(door, 'listening');
    const address = parseRedisUrl(`redis://127.0.0.1:${(door.address() as AddressInfo).port}`);
    const client = await connectRedis(address);
    cutsSecondInfo = true;
    const connections = createQueueConnections(address.options, client);
    const lane = createLane(NAME, { connections, prefix: '{vehi}:test', timing, retryMs: 1 });
    lane.queue.on('error', () => undefined);
    const ended: string[] = [];
    const run = async (id: string) => {
      ended.push(id);
      return 'ended' as const;
    };
    lane.start(1, run, { metrics: createMetrics(), log: pino({ level: 'silent' }) });
    await expect.poll(() => away, { timeout: 30_000 }).toBe(true);
    // Longer than the tries of a command that is not kept.
    await new Promise((done) => setTimeout(done, 1_000));
    [away, cutsSecondInfo] = [false, false];
    const add = () =>
      lane.add([{ id: 'vis_1', priority: 1 }]).then(
        () => true,
        () => false,
      );
    await expect.poll(add, { timeout: 10_000 }).toBe(true);
    await expect.poll(() => ended, { timeout: 10_000 }).toEqual(['vis_1']);
    await lane.close();
    client.disconnect();
    door.close();
    await server.stop();
  },
  60_000,
);
