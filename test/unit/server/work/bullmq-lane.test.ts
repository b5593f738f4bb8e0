// @module-tag slow: a Redis is started and stopped
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
const times = { lockMs: 600, stalledCheckMs: 300, sweepMs: 60_000, settledMs: 60_000 };

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
      times,
      retryMs: 1,
    });
    const counted = async (counter: 'stalled' | 'locksLost') =>
      (await metrics[counter].get()).values.find(({ labels }) => labels.queue === NAME)?.value;
    const reasons: unknown[] = [];
    try {
      lane.work(
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
    const lane = createLane(NAME, { connections, prefix: '{vehi}:test', times, retryMs: 1 });
    const ended: string[] = [];
    const run = async (id: string) => {
      ended.push(id);
      return 'ended' as const;
    };
    // As the caller does, who logs them.
    lane.queue.on('error', () => undefined);
    lane.work(1, run, { metrics: createMetrics(), log: pino({ level: 'silent' }) });
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
