import type { Redis } from 'ioredis';
import { VehiError } from '../../lib/errors.ts';

/** A question that Redis has not answered by then has failed. */
const COMMAND_TIMEOUT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;
const RECONNECT_MAX_MS = 1_000;
/** Streams, and commands that BullMQ builds on. */
const REDIS_MIN = [6, 2] as const;

/** Where a server is, as ioredis takes it. */
export interface RedisTarget {
  readonly host?: string;
  readonly port?: number;
  readonly path?: string;
  readonly db?: number;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: { readonly servername: string };
}

/** What an address says. */
interface RedisAddress {
  readonly options: RedisTarget;
  /** For messages, without the password. */
  readonly name: string;
}

const wrong = (url: string, why: string) =>
  new VehiError('usage', 'INVALID_OPTION', `--redis is "${url.replace(/:[^:@/]*@/, ':…@')}"; ${why}.`, {
    hint: 'For example redis://cache.example.com:6379/1, rediss://… with TLS, or unix:///run/redis/redis.sock',
  });

/** Returns the number of a database; 0 where none is named. */
function databaseOf(url: string, text: string): number {
  const db = text === '' ? 0 : Number(text);
  if (Number.isInteger(db) && db >= 0) return db;
  throw wrong(url, 'the number of a database is a whole number');
}

/** Reads `redis://host:port/database`, `rediss://…` (TLS) or `unix:///path?db=database`. @throws VehiError usage/INVALID_OPTION */
export function parseRedisUrl(url: string, password?: string): RedisAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !['redis:', 'rediss:', 'unix:'].includes(parsed.protocol))
    throw wrong(url, 'a redis:, rediss: or unix: address is needed');
  const secret = password ?? (parsed.password === '' ? undefined : decodeURIComponent(parsed.password));
  const login = {
    ...(parsed.username === '' ? {} : { username: decodeURIComponent(parsed.username) }),
    ...(secret === undefined ? {} : { password: secret }),
  };
  if (parsed.protocol === 'unix:') {
    const path = decodeURIComponent(parsed.pathname);
    const db = databaseOf(url, parsed.searchParams.get('db') ?? '');
    return { options: { path, ...(db === 0 ? {} : { db }), ...login }, name: `unix://${path}` };
  }
  const db = databaseOf(url, parsed.pathname.slice(1));
  const port = parsed.port === '' ? 6379 : Number(parsed.port);
  const host = parsed.hostname.replace(/^\[|\]$/g, '');
  const tls = parsed.protocol === 'rediss:' ? { tls: { servername: host } } : {};
  return { options: { host, port, db, ...login, ...tls }, name: `${parsed.protocol}//${parsed.host}/${db}` };
}

/** How connections behave: those of requests fail soon, those that wait for work go on trying. */
export const REQUEST_OPTIONS = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  commandTimeout: COMMAND_TIMEOUT_MS,
  connectTimeout: CONNECT_TIMEOUT_MS,
  retryStrategy: (times: number) => Math.min(times * 100, RECONNECT_MAX_MS),
};
export const WORK_OPTIONS = {
  maxRetriesPerRequest: null,
  connectTimeout: CONNECT_TIMEOUT_MS,
  retryStrategy: (times: number) => Math.min(times * 100, RECONNECT_MAX_MS),
};

/** Returns a fact of `INFO`, such as `redis_version`. */
export function readInfo(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
}

/**
 * Returns a function that reads the run of the server, which is another one after it restarted, perhaps empty, or after
 * it was not reached for a while, when additions may have failed.
 */
export function runReader(client: Redis): () => Promise<string> {
  let connections = 0;
  client.on('ready', () => {
    connections++;
  });
  return async () => `${readInfo(await client.info('server'), 'run_id')}:${connections}`;
}

/** Returns by how many milliseconds the clock of this machine is ahead of the server's. */
export async function readClockLead(client: Redis): Promise<number> {
  const askedMs = Date.now();
  const [seconds, micros] = await client.time();
  return (askedMs + Date.now()) / 2 - (Number(seconds) * 1000 + Number(micros) / 1000);
}

/**
 * Connects and checks that the server keeps what it is given.
 * @throws VehiError usage/REDIS_UNREACHABLE, usage/REDIS_UNSUITABLE (too old, or removes keys when memory is short).
 */
export async function connectRedis({ options, name }: RedisAddress): Promise<Redis> {
  const { Redis: Client } = await import('ioredis');
  const client = new Client({ ...options, ...REQUEST_OPTIONS, lazyConnect: true });
  // Every command says by itself that it failed; why there is no connection, only this does.
  let reason: Error | undefined;
  client.on('error', (error: Error) => {
    reason = error;
  });
  try {
    await client.connect();
    const info = await client.info();
    const version = readInfo(info, 'valkey_version') ?? readInfo(info, 'redis_version') ?? '0';
    const [major = 0, minor = 0] = version.split('.').map(Number);
    if (major < REDIS_MIN[0] || (major === REDIS_MIN[0] && minor < REDIS_MIN[1]))
      throw unsuitable(name, `version ${version}`, 'Redis 6.2 or Valkey 7.2 is the oldest that works.');
    const policy = readInfo(info, 'maxmemory_policy');
    if (policy !== undefined && policy !== 'noeviction')
      throw unsuitable(
        name,
        `maxmemory-policy is ${policy}`,
        'Set maxmemory-policy noeviction: a server that removes keys loses locks and counts.',
      );
    return client;
  } catch (cause) {
    client.disconnect();
    if (cause instanceof VehiError) throw cause;
    throw new VehiError(
      'usage',
      'REDIS_UNREACHABLE',
      `${name}: Redis cannot be used (${(reason ?? (cause as Error)).message})`,
      {
        hint: 'Check host, port and password (VEHI_REDIS_PASSWORD); redis-cli ping must answer PONG.',
        cause,
      },
    );
  }
}

function unsuitable(name: string, why: string, hint: string): VehiError {
  return new VehiError('usage', 'REDIS_UNSUITABLE', `${name}: ${why}`, { hint });
}
