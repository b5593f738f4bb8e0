import { randomUUID } from 'node:crypto';
import { formatCount } from '../../lib/format-count.ts';
import type { Store } from '../../storage/ports.ts';
import type { DatabaseFacts } from '../../storage/postgres/examine.ts';
import { readSharedAddresses, type SharedAddresses, type SharedFlags } from '../service/shared-addresses.ts';
import { openObjects, openSharedStore } from '../service/shared-store.ts';
import type { CliContext } from '../terminal/context.ts';
import { type Check, runCheck } from './doctor-check.ts';

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
  checks.push(
    await runCheck(
      'objects',
      () => tryObjects(shared.objects, ctx),
      'Check --objects (VEHI_OBJECTS): every machine must be able to write there; for s3: the bucket, the keys, the region and the clock.',
    ),
  );
  // Opening the store would create its tables, which a check must not do.
  if (hasTables) {
    const fix = 'Start vehi serve and vehi work, and read their logs.';
    checks.push(await runCheck('work', () => tryWork(shared, ctx), fix));
  }
  return checks;
}

function describeDatabase({ server, bytes, version, supportedVersion }: DatabaseFacts): string {
  const name = `PostgreSQL ${server}, ${Math.round(bytes / 2 ** 20)} MB`;
  if (version === undefined) return `${name}, no tables yet: the first vehi serve makes them`;
  const tables = `${name}, tables of version ${version}`;
  if (version === supportedVersion) return `${tables}, as this version of vehi needs them`;
  return version < supportedVersion
    ? `${tables}; the next vehi serve brings them to ${supportedVersion}`
    : `${tables}, made by a newer vehi; this one (${supportedVersion}) can still use them`;
}

async function tryObjects(objects: string, ctx: CliContext): Promise<string> {
  const blobs = await openObjects(objects, ctx);
  const owner = `doctor-${randomUUID()}`;
  await blobs.put(owner, 'probe', Buffer.from('x'));
  try {
    const read = await blobs.get(owner, 'probe');
    if (read?.length !== 1) throw new Error('what was written cannot be read again');
  } finally {
    await blobs.remove(owner);
  }
  return `${objects}, written, read and removed`;
}

async function tryWork({ database }: SharedAddresses, ctx: CliContext): Promise<string> {
  const store = await openSharedStore({ database }, 1, ctx);
  try {
    return await countWork(store);
  } finally {
    await store.close();
  }
}

async function countWork(store: Store): Promise<string> {
  const processes = await store.processes.listLive();
  const count = (kind: string) => processes.filter((one) => one.kind === kind).length;
  const environments = ['production', 'sandbox'] as const;
  const waiting = await Promise.all(environments.map((one) => store.inspections.listUnfinished(one)));
  const times = waiting.flat().map(({ createdAt }) => createdAt);
  const oldest = times.sort()[0];
  const oldestText = oldest === undefined ? '' : `, the oldest since ${oldest}`;
  const text = `${count('serve')} serving, ${count('work')} working, ${formatCount(times.length, 'inspection')} to do${oldestText}`;
  if (times.length > 0 && processes.length === 0)
    throw new Error(`${text}; no process is running to do them`);
  return text;
}
