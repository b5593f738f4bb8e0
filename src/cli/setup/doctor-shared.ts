import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '../../lib/durations.ts';
import { formatCount } from '../../lib/format-count.ts';
import type { RedisAddress } from '../../server/redis/address.ts';
import type { connectRedis } from '../../server/redis/connect.ts';
import type { Store } from '../../storage/ports.ts';
import type { DatabaseFacts } from '../../storage/postgres/examine.ts';
import {
  type ObjectsAddress,
  readSharedAddresses,
  type SharedAddresses,
  type SharedFlags,
} from '../service/shared-addresses.ts';
import { openObjects, openSharedStore } from '../service/shared-store.ts';
import type { CliContext } from '../terminal/context.ts';
import { type Check, runCheck } from './doctor-check.ts';

type Redis = Awaited<ReturnType<typeof connectRedis>>;

/** Checks the shared resources if configured: each one separately, then the state of the queue. */
export async function checkShared(flags: SharedFlags, ctx: CliContext): Promise<Check[]> {
  const shared = readSharedAddresses(flags, ctx);
  if (!shared) return [];
  let hasTables = false;
  const checks = [
    await runCheck(
      'database',
      async () => {
        const { examineDatabase } = await import('../../storage/postgres/examine.ts');
        const facts = await examineDatabase(shared.database);
        hasTables = facts.version === facts.supportedVersion;
        return describeDatabase(facts);
      },
      'Check --database (VEHI_DATABASE): psql with the same address must work, and the user may make tables.',
    ),
  ];
  const redis = await runCheck(
    'redis',
    () => useRedis(shared, describeRedis),
    'Check --redis (VEHI_REDIS), VEHI_REDIS_PASSWORD or VEHI_REDIS_PASSWORD_FILE, and that maxmemory-policy is noeviction.',
  );
  checks.push(redis);
  if (redis.ok) {
    const rights =
      'Let the user of --redis run scripts and all commands on keys that begin with {vehi}, or with its prefix= in braces (ACL: +@all -@dangerous +info ~{vehi}* &*).';
    checks.push(await runCheck('redis script', () => useRedis(shared, tryScript), rights));
    const clocks =
      'Synchronise the clocks by NTP: limits on simultaneous requests are counted by the clock of each machine.';
    checks.push(await runCheck('clocks', () => useRedis(shared, compareClocks), clocks));
  }
  checks.push(
    await runCheck(
      'objects',
      () => tryObjects(shared),
      'Check --objects (VEHI_OBJECTS): every machine must be able to write there; for s3: the bucket, the keys, the region and the clock.',
    ),
  );
  // Opening the store would create its tables, which a check must not do.
  if (hasTables) {
    const fix = 'Start vehi serve and vehi work, and read their logs.';
    checks.push(await runCheck('work', () => tryWork(shared), fix));
  }
  return checks;
}

function describeDatabase({ server, bytes, version, supportedVersion }: DatabaseFacts): string {
  const name = `PostgreSQL ${server}, ${Math.round(bytes / 2 ** 20)} MB`;
  if (version === undefined)
    return `${name}, no tables yet: vehi admin data migrate or the first vehi serve makes them`;
  const tables = `${name}, tables of version ${version}`;
  if (version === supportedVersion) return `${tables}, as this version of vehi needs them`;
  return version < supportedVersion
    ? `${tables}; vehi admin data migrate or the next vehi serve brings them to ${supportedVersion}`
    : `${tables}, made by a newer vehi; this one (${supportedVersion}) can still use them`;
}

async function useRedis<T>(
  { redis, passwords }: SharedAddresses,
  work: (client: Redis, address: RedisAddress) => Promise<T>,
): Promise<T> {
  const { parseRedisUrl } = await import('../../server/redis/address.ts');
  const { connectRedis } = await import('../../server/redis/connect.ts');
  const address = parseRedisUrl(redis, passwords);
  const client = await connectRedis(address);
  try {
    return await work(client, address);
  } finally {
    client.disconnect();
  }
}

async function describeRedis(client: Redis, { name, options }: RedisAddress): Promise<string> {
  const { readInfo } = await import('../../server/redis/connect.ts');
  const info = await client.info();
  const aof = readInfo(info, 'aof_enabled') === '1' ? 'append only file' : 'nothing kept on disk';
  const { remoteAddress, remotePort } = options.sentinels ? client.stream : {};
  const primary = remoteAddress === undefined ? '' : ` is ${remoteAddress}:${remotePort}`;
  const version = readInfo(info, 'valkey_version') ?? readInfo(info, 'redis_version');
  return `${name}${primary}, version ${version}, noeviction, ${aof}`;
}

/** BullMQ and the rate limits use scripts, which a server may deny to a user. */
async function tryScript(client: Redis, { keyPrefix }: RedisAddress): Promise<string> {
  const key = `${keyPrefix}:doctor:${randomUUID()}`;
  const script = "redis.call('SET', KEYS[1], ARGV[1], 'PX', 5000) return redis.call('GETDEL', KEYS[1])";
  const answer = await client.eval(script, 1, key, 'x');
  if (answer !== 'x') throw new Error('a script does not answer what it was given');
  return 'a script sets, reads and removes a key';
}

/** Maximum clock difference in milliseconds; slots are locked for 30 seconds. */
const MAX_CLOCK_SKEW_MS = 2_000;

async function compareClocks(client: Redis): Promise<string> {
  const { readClockLead } = await import('../../server/redis/connect.ts');
  const leadMs = await readClockLead(client);
  const text = `${(Math.abs(leadMs) / 1000).toFixed(1)} s ${leadMs < 0 ? 'behind' : 'ahead of'} that of Redis`;
  if (Math.abs(leadMs) > MAX_CLOCK_SKEW_MS) throw new Error(`the clock here is ${text}`);
  return text;
}

async function tryObjects(address: ObjectsAddress): Promise<string> {
  const blobs = await openObjects(address);
  const owner = `doctor-${randomUUID()}`;
  await blobs.put(owner, 'probe', Buffer.from('x'));
  try {
    const read = await blobs.get(owner, 'probe');
    if (read?.length !== 1) throw new Error('what was written cannot be read again');
  } finally {
    await blobs.remove(owner);
  }
  return `${address.objects}, written, read and removed`;
}

/** Age in milliseconds from which a waiting job counts as stuck. */
const MIN_STUCK_MS = 5 * MINUTE_MS;

async function tryWork(shared: SharedAddresses): Promise<string> {
  const store = await openSharedStore({ database: shared.database }, 1);
  try {
    return await countWork(store, shared);
  } finally {
    await store.close();
  }
}

async function countWork(store: Store, shared: SharedAddresses): Promise<string> {
  const { makeQueuePrefix, listIdsWithoutJob } = await import('../../server/redis/jobs.ts');
  const processes = await store.processes.listLive();
  const count = (kind: string) => processes.filter((one) => one.kind === kind).length;
  const waiting = [];
  let jobless = 0;
  let stuck = 0;
  for (const environment of ['production', 'sandbox'] as const) {
    const found = await store.inspections.listUnfinished(environment);
    waiting.push(...found);
    const ids = found.map(({ id }) => id);
    const missing: readonly string[] = await useRedis(shared, (client, { keyPrefix }) =>
      listIdsWithoutJob(client, makeQueuePrefix(keyPrefix, environment), ids),
    ).catch(() => []);
    jobless += missing.length;
    const old = new Date(Date.now() - MIN_STUCK_MS).toISOString();
    stuck += found.filter(({ id, createdAt }) => createdAt < old && missing.includes(id)).length;
  }
  const oldest = waiting.map(({ createdAt }) => createdAt).sort()[0];
  const oldestText = oldest === undefined ? '' : `, the oldest since ${oldest}`;
  const withoutJob =
    jobless === 0 ? '' : `, ${jobless} without a job (vehi work puts these back within a minute)`;
  const text = `${count('serve')} serving, ${count('work')} working, ${formatCount(waiting.length, 'inspection')} to do${oldestText}${withoutJob}`;
  if (waiting.length > 0 && processes.length === 0)
    throw new Error(`${text}; no process is running to do them`);
  if (stuck > 0)
    throw new Error(
      `${text}; ${formatCount(stuck, 'of these has', 'of these have')} waited for five minutes: no process puts them back`,
    );
  return text;
}
