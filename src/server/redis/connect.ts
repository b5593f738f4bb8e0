import type { Redis } from 'ioredis';
import { VehiError } from '../../lib/errors.ts';
import { loadOptional } from '../../lib/optional-package.ts';
import type { BackendState } from '../metrics.ts';
import type { RedisAddress } from './address.ts';

/** Command timeout. */
const COMMAND_TIMEOUT_MS = 1_000;
/** Silence on a busy connection after which it is closed; commands then fail immediately until it reconnects. */
const SOCKET_TIMEOUT_MS = 2_000;
const CONNECT_TIMEOUT_MS = 5_000;
export const MAX_RECONNECT_MS = 1_000;
/** Oldest supported Redis version; streams and commands that BullMQ needs require it. */
const MIN_REDIS_VERSION = [6, 2] as const;

export const computeRetryDelayMs = (attempt: number) => Math.min(attempt * 100, MAX_RECONNECT_MS);

/** Returns true if the error comes from a former primary after a failover. */
const isDemoted = (error: Error) => error.message.startsWith('READONLY');

/** Connections for requests fail fast; connections for workers retry forever. */
const CONNECTION_OPTIONS = {
  connectTimeout: CONNECT_TIMEOUT_MS,
  sentinelCommandTimeout: COMMAND_TIMEOUT_MS,
  retryStrategy: computeRetryDelayMs,
  sentinelRetryStrategy: computeRetryDelayMs,
};
export const REQUEST_OPTIONS = {
  ...CONNECTION_OPTIONS,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  commandTimeout: COMMAND_TIMEOUT_MS,
  socketTimeout: SOCKET_TIMEOUT_MS,
  reconnectOnError: (error: Error) => isDemoted(error),
};
export const WORK_OPTIONS = {
  ...CONNECTION_OPTIONS,
  maxRetriesPerRequest: null,
  // 2 resends the failed command once the new primary is found.
  reconnectOnError: (error: Error) => (isDemoted(error) ? (2 as const) : false),
};

/** Returns a field of an `INFO` reply, such as `redis_version`. */
export function readInfo(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
}

/**
 * Returns a function that reads an id of the server's current run. It changes when the server restarts, possibly empty,
 * and when this client reconnects, because additions may have failed in between.
 */
export function createRunIdReader(client: Redis): () => Promise<string> {
  let connections = 0;
  client.on('ready', () => {
    connections++;
  });
  return async () => `${readInfo(await client.info('server'), 'run_id')}:${connections}`;
}

/** Returns how far this machine's clock is ahead of the server's, in milliseconds. */
export async function readClockLead(client: Redis): Promise<number> {
  const sentMs = Date.now();
  const [seconds, micros] = await client.time();
  return (sentMs + Date.now()) / 2 - (Number(seconds) * 1000 + Number(micros) / 1000);
}

/** Checks the server's version, role and eviction policy. @throws VehiError usage/REDIS_UNSUITABLE */
async function checkServer(client: Redis, { name, keyPrefix }: RedisAddress): Promise<void> {
  const info = await client.info();
  const version = readInfo(info, 'valkey_version') ?? readInfo(info, 'redis_version') ?? '0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < MIN_REDIS_VERSION[0] || (major === MIN_REDIS_VERSION[0] && minor < MIN_REDIS_VERSION[1]))
    throw makeUnsuitableError(
      name,
      `version ${version}`,
      'Redis 6.2 or Valkey 7.2 is the oldest that works.',
    );
  if (readInfo(info, 'redis_mode') === 'sentinel')
    throw makeUnsuitableError(
      name,
      'this is a Sentinel',
      'Add ?sentinel= with the name of the primary it watches.',
    );
  if (readInfo(info, 'role') === 'slave') {
    throw makeUnsuitableError(
      name,
      'this is a replica, which takes no writes',
      'Name its primary, or the Sentinels that know it: redis://s1.example.com,s2.example.com?sentinel=NAME',
    );
  }
  const policy = readInfo(info, 'maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction') {
    throw makeUnsuitableError(
      name,
      `maxmemory-policy is ${policy}`,
      'Set maxmemory-policy noeviction: a server that removes keys loses locks and counts.',
    );
  }
  await client.exists(`${keyPrefix}:`).catch((error: Error) => {
    const [, node] = /^MOVED \d+ (\S+)/.exec(error.message) ?? [];
    if (node === undefined) throw error;
    throw makeUnsuitableError(
      name,
      `in this Redis Cluster the keys that begin with ${keyPrefix} are at ${node}`,
      'Name that node. Changes of the cluster are not followed; those of Sentinels are.',
    );
  });
}

/**
 * Connects to Redis and checks that the server is suitable.
 * @throws VehiError usage/REDIS_UNREACHABLE, usage/REDIS_UNSUITABLE.
 */
export async function connectRedis(address: RedisAddress): Promise<Redis> {
  const { options, name } = address;
  const { Redis: Client } = await loadOptional(() => import('ioredis'));
  let isConnected = false;
  const client = new Client({
    ...options,
    ...REQUEST_OPTIONS,
    // On startup, one round over all Sentinels is enough to report what is wrong.
    sentinelRetryStrategy: (attempt) => (isConnected ? computeRetryDelayMs(attempt) : null),
    lazyConnect: true,
  });
  // Each command reports its own failure, but only these events report why there is no connection.
  let reason: string | undefined;
  client.on('error', ({ message }: Error) => {
    if (options.sentinels === undefined || isConnected) reason = message;
  });
  client.on('sentinelError', ({ message }: Error) => {
    reason = /No such master|invalid reply: null/.test(message)
      ? `the Sentinels know no primary called "${options.name}"`
      : message;
  });
  try {
    await client.connect();
    isConnected = true;
    await checkServer(client, address);
    return client;
  } catch (cause) {
    client.disconnect();
    if (cause instanceof VehiError) throw cause;
    throw new VehiError(
      'usage',
      'REDIS_UNREACHABLE',
      `${name}: Redis cannot be used (${reason ?? (cause as Error).message}).`,
      {
        hint:
          options.sentinels === undefined
            ? 'Check host, port and password (VEHI_REDIS_PASSWORD); redis-cli ping must answer PONG.'
            : `Check hosts, ports and passwords (VEHI_REDIS_PASSWORD, VEHI_SENTINEL_PASSWORD); redis-cli -p 26379 sentinel get-master-addr-by-name ${options.name} must name the primary.`,
        cause,
      },
    );
  }
}

function makeUnsuitableError(name: string, reason: string, hint: string): VehiError {
  return new VehiError('usage', 'REDIS_UNSUITABLE', `${name}: ${reason}`, { hint });
}

type ServerState = Omit<BackendState, 'substituted'>;

/** Returns a function that reads the server's state and counts its restarts. */
export function createServerReader(client: Pick<Redis, 'info'>): () => Promise<ServerState> {
  let runId: string | undefined;
  let restarts = 0;
  return async () => {
    let info: string;
    try {
      info = await client.info();
    } catch {
      return { up: false, memoryBytes: 0, memoryMaxBytes: 0, restarts };
    }
    const currentRunId = readInfo(info, 'run_id');
    if (runId !== undefined && currentRunId !== runId) restarts++;
    runId = currentRunId;
    const readNumber = (name: string) => Number(readInfo(info, name) ?? 0);
    const memoryMaxBytes = readNumber('maxmemory') || readNumber('total_system_memory');
    return { up: true, memoryBytes: readNumber('used_memory'), memoryMaxBytes, restarts };
  };
}
