import type { Store } from '../storage/ports.ts';
import { parseRedisUrl, type RedisPasswords } from './redis/address.ts';
import { connectRedis, createServerReader } from './redis/connect.ts';
import { makeQueuePrefix } from './redis/jobs.ts';
import { createRedisAnonymousLimiter, createRedisGate, createRedisRates } from './redis/limits.ts';
import { createQueueConnections, type LockTiming } from './redis/queue-connections.ts';
import type { ServerSettings } from './server-settings.ts';
import type { SharedBackends } from './services.ts';
import { createSharedQueue, LOCK_TIMES } from './work/shared-queue.ts';

/** Interval at which the processes sharing a limit are counted. */
const COUNT_INTERVAL_MS = 10_000;

/**
 * Opens the shared queue and limits over one Redis or Valkey server.
 * @throws VehiError usage/INVALID_OPTION, usage/REDIS_UNREACHABLE, usage/REDIS_UNSUITABLE.
 */
export async function openRedisBackends(options: {
  url: string;
  passwords?: RedisPasswords;
  store: Store;
  settings: Pick<ServerSettings, 'environment' | 'anonymousPerMinute'>;
  timing?: LockTiming;
}): Promise<SharedBackends> {
  const { store, settings, timing = LOCK_TIMES } = options;
  const address = parseRedisUrl(options.url, options.passwords);
  const client = await connectRedis(address);
  let serveCount = 1;
  const countProcesses = async () => {
    const processes = await store.processes.listLive();
    serveCount = Math.max(1, processes.filter(({ kind }) => kind === 'serve').length);
  };
  const timer = setInterval(() => void countProcesses().catch(() => undefined), COUNT_INTERVAL_MS).unref();
  let fallbackCount = 0;
  const parts = {
    client,
    prefix: `${address.keyPrefix}:limits:${settings.environment}`,
    countProcesses: () => serveCount,
    onFallback: () => {
      fallbackCount++;
    },
  };
  const readServer = createServerReader(client);
  const secret = await store.getSecret('addresses');
  const queues = {
    connections: createQueueConnections(address.options, client),
    client,
    prefix: makeQueuePrefix(address.keyPrefix, settings.environment),
    timing,
  };
  return {
    rates: createRedisRates(parts),
    anonymousLimiter: createRedisAnonymousLimiter(parts, settings.anonymousPerMinute, secret),
    gate: createRedisGate(parts),
    createQueue: (queueParts) => createSharedQueue(queueParts, queues),
    isDegraded: () => client.status !== 'ready',
    getState: async () => ({ ...(await readServer()), substituted: fallbackCount }),
    async close() {
      clearInterval(timer);
      client.disconnect();
    },
  };
}
