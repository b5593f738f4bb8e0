import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Flags } from '../../config/options.ts';
import { defined } from '../../lib/defined.ts';
import { loadOptional } from '../../lib/optional-package.ts';
import { readNamedFile } from '../../lib/read-named-file.ts';
import type { RedisPasswords } from '../../server/redis/address.ts';
import { parseS3Url, readS3Keys, type S3Keys } from '../../storage/objects/s3-address.ts';
import type { BlobStore, Store } from '../../storage/ports.ts';
import type { CliContext } from '../terminal/context.ts';
import { write } from '../terminal/output.ts';
import { makeOptionError } from '../terminal/usage-errors.ts';

/** Parsed flags of the shared resources. */
export type SharedFlags = Flags<'data' | 'ephemeral' | 'database' | 'redis' | 'objects'>;

/** Help on passwords of the shared resources, which must not appear in the process list. */
export const PASSWORDS_NOTE =
  'Passwords: PGPASSWORD or ~/.pgpass; VEHI_REDIS_PASSWORD and VEHI_SENTINEL_PASSWORD, or with _FILE at the end the file that holds one. Sentinels: --redis "redis://s1,s2?sentinel=NAME".';

/** Addresses of the shared resources of a service on several machines. */
export interface SharedAddresses {
  readonly database: string;
  readonly redis: string;
  readonly passwords: RedisPasswords;
  readonly objects: string;
  /** For s3: addresses only. */
  readonly objectKeys?: S3Keys;
}

/** Address of the object storage with its credentials. */
export type ObjectsPlace = Pick<SharedAddresses, 'objects' | 'objectKeys'>;

const ENV = { database: 'VEHI_DATABASE', redis: 'VEHI_REDIS', objects: 'VEHI_OBJECTS' } as const;
type Resource = keyof typeof ENV;
const EXAMPLES: Readonly<Record<Resource, string>> = {
  database: 'postgres://vehi@db.example.com/vehi',
  redis: 'redis://cache.example.com:6379',
  objects: 'file:///srv/vehi-files',
};

/** Returns the address of a resource from flag or environment. */
function readAddress(resource: Resource, flags: SharedFlags, { env }: CliContext): string | undefined {
  const value = flags[resource] ?? env[ENV[resource]];
  return value === '' ? undefined : value;
}

/**
 * Returns the addresses of all shared resources; undefined if the service has its own data directory.
 * @throws VehiError usage/INVALID_OPTION naming a missing address or a conflicting flag
 */
export function readSharedAddresses(flags: SharedFlags, ctx: CliContext): SharedAddresses | undefined {
  const resources = Object.keys(ENV) as Resource[];
  const missing = resources.filter((resource) => readAddress(resource, flags, ctx) === undefined);
  if (missing.length === resources.length) return undefined;
  rejectOwnData(flags);
  const [first] = missing;
  if (first !== undefined) {
    throw makeOptionError(
      `--database, --redis and --objects belong together; ${missing.map((resource) => `--${resource}`).join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing.`,
      `For example --${first} ${EXAMPLES[first]} (or ${ENV[first]}).`,
    );
  }
  const [redis, sentinel] = ['VEHI_REDIS_PASSWORD', 'VEHI_SENTINEL_PASSWORD'].map((name) =>
    readSecret(name, ctx),
  );
  return {
    database: checkDatabase(readAddress('database', flags, ctx) as string),
    redis: readAddress('redis', flags, ctx) as string,
    passwords: { ...defined({ redis }), ...defined({ sentinel }) },
    ...addCredentials(readAddress('objects', flags, ctx) as string, ctx),
  };
}

const isS3 = (url: string) => /^s3:/i.test(url);

/** Adds the credentials to an object storage address, without network access. @throws VehiError of kind usage */
function addCredentials(objects: string, { env, cwd }: CliContext): ObjectsPlace {
  if (!isS3(objects)) return { objects };
  parseS3Url(objects);
  return { objects, objectKeys: readS3Keys(env, (file) => readFileSync(resolve(cwd, file), 'utf8')) };
}

function rejectOwnData({ data, ephemeral }: SharedFlags): void {
  if (data === undefined && !ephemeral) return;
  throw makeOptionError(
    `${ephemeral ? '--ephemeral' : '--data'} keeps everything in one process; --database and the others share it.`,
    'Choose one of them (VEHI_DATABASE, VEHI_REDIS and VEHI_OBJECTS count too).',
  );
}

function checkDatabase(url: string): string {
  if (/^postgres(ql)?:\/\//.test(url)) return url;
  throw makeOptionError('--database is not a postgres:// address.', `For example ${EXAMPLES.database}`);
}

/** Returns the database of an operator command; undefined if it uses a data directory. */
export function findDatabase(flags: SharedFlags, ctx: CliContext): string | undefined {
  const url = readAddress('database', flags, ctx);
  if (url === undefined) return undefined;
  rejectOwnData(flags);
  return checkDatabase(url);
}

/**
 * Opens the object storage at an address: a folder shared by all machines, or a bucket.
 * @throws VehiError usage/INVALID_OPTION, usage/OBJECTS_UNUSABLE
 */
export async function openObjects({ objects: url, objectKeys }: ObjectsPlace): Promise<BlobStore> {
  if (isS3(url)) {
    const { openS3Blobs } = await loadOptional(() => import('../../storage/objects/s3.ts'));
    return openS3Blobs(parseS3Url(url), objectKeys as S3Keys);
  }
  const path = URL.canParse(url) && new URL(url).protocol === 'file:' ? fileURLToPath(url) : '';
  if (!isAbsolute(path)) {
    throw makeOptionError(
      '--objects is neither the s3: address of a bucket nor the file: address of a folder that all machines share.',
      `For example ${EXAMPLES.objects}, or s3://vehi-files?endpoint=https://s3.example.com`,
    );
  }
  const { makeFilesFolder } = await import('../../storage/directory-blobs.ts');
  return makeFilesFolder(path);
}

/** Returns an empty object storage for commands without file access. */
async function openMemoryBlobs(): Promise<BlobStore> {
  const { createMemoryBlobs } = await import('../../storage/memory-blobs.ts');
  return createMemoryBlobs();
}

/** Opens the store of a database and its object storage; omit `objects` if no files are read. */
export async function openSharedStore(
  { database, objects, objectKeys }: { database: string } & Partial<ObjectsPlace>,
  connections: number,
): Promise<Store> {
  const files =
    objects === undefined
      ? await openMemoryBlobs()
      : await openObjects({ objects, ...(objectKeys && { objectKeys }) });
  const { openPostgresStore } = await import('../../storage/postgres/store.ts');
  return openPostgresStore({ url: database, connections, objects: files });
}

/** Warns about a password visible to all users of the machine. */
export async function warnOfPassword(flags: SharedFlags, ctx: CliContext): Promise<void> {
  const showsPassword = [flags.database, flags.redis].some(
    (url) => url !== undefined && /:\/\/[^/@]*:[^/@]+@|[?&]password=./.test(url),
  );
  if (!showsPassword) return;
  await write(
    ctx.stderr,
    'vehi: a password in an address can be read in the list of processes. Use PGPASSWORD or ~/.pgpass, and VEHI_REDIS_PASSWORD or VEHI_REDIS_PASSWORD_FILE.\n',
  );
}

/**
 * Returns the object storage address for a command that reads or writes files.
 * @throws VehiError usage/INVALID_OPTION if it is missing
 */
export function findObjects(flags: SharedFlags, ctx: CliContext): ObjectsPlace {
  const url = readAddress('objects', flags, ctx);
  if (url !== undefined) return addCredentials(url, ctx);
  throw makeOptionError(
    '--objects is missing: inspections have files.',
    `For example --objects ${EXAMPLES.objects}`,
  );
}

/**
 * Reads a secret from environment variable NAME, or from the single line of the file in NAME_FILE; undefined without
 * either.
 * @throws VehiError usage/INVALID_OPTION, usage/FILE_UNREADABLE; messages never contain the secret
 */
export function readSecret(name: string, { env, cwd }: CliContext): string | undefined {
  const value = env[name] || undefined;
  const file = env[`${name}_FILE`] || undefined;
  if (file === undefined) return value;
  if (value !== undefined)
    throw makeOptionError(`${name} and ${name}_FILE are both set.`, 'Keep one of them.');
  const [line = '', ...more] = readNamedFile(`${name}_FILE`, file, cwd).toString().split(/\r?\n/);
  if (line !== '' && more.every((one) => one === '')) return line;
  const why = line === '' ? 'is empty' : 'has more than one line';
  throw makeOptionError(
    `${name}_FILE: ${file} ${why}; the password alone is needed.`,
    'One line, nothing else.',
  );
}
