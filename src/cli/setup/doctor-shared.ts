import { randomUUID } from 'node:crypto';
import type { connectRedis } from '../../server/redis/connect.ts';
import type { Store } from '../../storage/ports.ts';
import {
  type ObjectsPlace,
  openObjects,
  openSharedStore,
  type SharedAddresses,
  type SharedFlags,
  sharedAddresses,
} from '../service/shared-store.ts';
import type { CliContext } from '../terminal/context.ts';
import { attempt, type Check } from './doctor-check.ts';

/** A connection to Redis. */
type Redis = Awaited<ReturnType<typeof connectRedis>>;

/** Tries what several machines share, where that is said: each part for itself, and then whether work is done. */
export async function checkShared(flags: SharedFlags, ctx: CliContext): Promise<Check[]> {
  const shared = sharedAddresses(flags, ctx);
  if (!shared) return [];
  let store: Store | undefined;
  const database = await attempt(
    'database',
    async () => {
      store = await openSharedStore({ database: shared.database }, 1);
      return nameOf(store);
    },
    'Check --database (VEHI_DATABASE): psql with the same address must work, and the user may make tables.',
  );
  const checks = [
    database,
    await attempt(
      'redis',
      () => withRedis(shared, nameOfRedis),
      'Check --redis (VEHI_REDIS), VEHI_REDIS_PASSWORD, and that maxmemory-policy is noeviction.',
    ),
    await attempt(
      'objects',
      () => tryObjects(shared),
      'Check --objects (VEHI_OBJECTS): every machine must be able to write there; for s3: the bucket, the keys, the region and the clock.',
    ),
  ];
  if (checks[1]?.ok) {
    const fix = 'Set the clocks by NTP: places of requests at once are counted by the clock of each machine.';
    checks.push(await attempt('clocks', () => withRedis(shared, compareClocks), fix));
  }
  if (!store) return checks;
  const open = store;
  const work = await attempt('work', () => countWork(open, shared), 'Start vehi serve and vehi work.');
  await open.close();
  return [...checks, work];
}

async function nameOf(store: Store): Promise<string> {
  const { databaseBytes } = await store.facts('production');
  return `PostgreSQL ${await store.version()}, ${Math.round(databaseBytes / 2 ** 20)} MB`;
}

async function withRedis<T>(
  { redis, redisPassword }: SharedAddresses,
  work: (client: Redis, name: string) => Promise<T>,
): Promise<T> {
  const { connectRedis, parseRedisUrl } = await import('../../server/redis/connect.ts');
  const address = parseRedisUrl(redis, redisPassword);
  const client = await connectRedis(address);
  try {
    return await work(client, address.name);
  } finally {
    client.disconnect();
  }
}

async function nameOfRedis(client: Redis, name: string): Promise<string> {
  const { readInfo } = await import('../../server/redis/connect.ts');
  const info = await client.info();
  const aof = readInfo(info, 'aof_enabled') === '1' ? 'append only file' : 'nothing kept on disk';
  return `${name}, version ${readInfo(info, 'redis_version')}, noeviction, ${aof}`;
}

/** Clocks may differ by so much: places are locked for 30 seconds. */
const CLOCKS_MS = 2_000;

async function compareClocks(client: Redis): Promise<string> {
  const { readClockLead } = await import('../../server/redis/connect.ts');
  const leadMs = await readClockLead(client);
  const text = `${(Math.abs(leadMs) / 1000).toFixed(1)} s ${leadMs < 0 ? 'behind' : 'ahead of'} that of Redis`;
  if (Math.abs(leadMs) > CLOCKS_MS) throw new Error(`the clock here is ${text}`);
  return text;
}

async function tryObjects(place: ObjectsPlace): Promise<string> {
  const blobs = await openObjects(place);
  const owner = `doctor-${randomUUID()}`;
  await blobs.put(owner, 'probe', Buffer.from('x'));
  try {
    const read = await blobs.get(owner, 'probe');
    if (read?.length !== 1) throw new Error('what was written cannot be read again');
  } finally {
    await blobs.remove(owner);
  }
  return `${place.objects}, written, read and removed`;
}

async function countWork(store: Store, shared: SharedAddresses): Promise<string> {
  const { queuePrefix, withoutJob } = await import('../../server/redis/jobs.ts');
  const living = await store.processes.living();
  const count = (kind: string) => living.filter((one) => one.kind === kind).length;
  const waiting = [];
  let lost = 0;
  for (const environment of ['production', 'sandbox'] as const) {
    const found = await store.inspections.unfinished(environment);
    waiting.push(...found);
    const ids = found.map(({ id }) => id);
    const missing = await withRedis(shared, (client) =>
      withoutJob(client, queuePrefix(environment), ids),
    ).catch(() => []);
    lost += missing.length;
  }
  const oldest = waiting.map(({ createdAt }) => createdAt).sort()[0];
  const since = oldest === undefined ? '' : `, the oldest since ${oldest}`;
  const put = lost === 0 ? '' : `, ${lost} without a job (vehi work puts these back within a minute)`;
  return `${count('serve')} serving, ${count('work')} working, ${waiting.length} inspections to do${since}${put}`;
}
