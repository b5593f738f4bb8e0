import { randomUUID } from 'node:crypto';
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
      () => tryRedis(shared),
      'Check --redis (VEHI_REDIS), VEHI_REDIS_PASSWORD, and that maxmemory-policy is noeviction.',
    ),
    await attempt(
      'objects',
      () => tryObjects(shared),
      'Check --objects (VEHI_OBJECTS): every machine must be able to write there; for s3: the bucket, the keys, the region and the clock.',
    ),
  ];
  if (!store) return checks;
  const open = store;
  const work = await attempt('work', () => countProcesses(open), 'Start vehi serve and vehi work.');
  await open.close();
  return [...checks, work];
}

async function nameOf(store: Store): Promise<string> {
  const { databaseBytes } = await store.facts('production');
  return `PostgreSQL ${await store.version()}, ${Math.round(databaseBytes / 2 ** 20)} MB`;
}

async function tryRedis({ redis, redisPassword }: SharedAddresses): Promise<string> {
  const { connectRedis, parseRedisUrl, readInfo } = await import('../../server/redis/connect.ts');
  const address = parseRedisUrl(redis, redisPassword);
  const client = await connectRedis(address);
  try {
    const info = await client.info();
    const aof = readInfo(info, 'aof_enabled') === '1' ? 'append only file' : 'nothing kept on disk';
    return `${address.name}, version ${readInfo(info, 'redis_version')}, noeviction, ${aof}`;
  } finally {
    client.disconnect();
  }
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

async function countProcesses(store: Store): Promise<string> {
  const living = await store.processes.living();
  const count = (kind: string) => living.filter((one) => one.kind === kind).length;
  const waiting = [
    ...(await store.inspections.unfinished('production')),
    ...(await store.inspections.unfinished('sandbox')),
  ];
  const oldest = waiting.map(({ createdAt }) => createdAt).sort()[0];
  return `${count('serve')} serving, ${count('work')} working, ${waiting.length} inspections to do${oldest === undefined ? '' : `, the oldest since ${oldest}`}`;
}
