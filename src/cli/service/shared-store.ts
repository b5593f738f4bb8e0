import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VehiError } from '../../lib/errors.ts';
import type { BlobStore, Store } from '../../storage/ports.ts';
import type { CliContext } from '../terminal/context.ts';
import { write } from '../terminal/output.ts';

/** Flags of what several machines share, as commander hands them over. */
export interface SharedFlags {
  readonly data?: string;
  readonly ephemeral?: boolean;
  readonly database?: string;
  readonly redis?: string;
  readonly objects?: string;
}

/** Where the parts of a service on several machines are. */
export interface SharedAddresses {
  readonly database: string;
  readonly redis: string;
  readonly redisPassword?: string;
  readonly objects: string;
}

const ENV = { database: 'VEHI_DATABASE', redis: 'VEHI_REDIS', objects: 'VEHI_OBJECTS' } as const;
type Part = keyof typeof ENV;
const EXAMPLES: Readonly<Record<Part, string>> = {
  database: 'postgres://vehi@db.example.com/vehi',
  redis: 'redis://cache.example.com:6379',
  objects: 'file:///srv/vehi-files',
};

const wrong = (message: string, hint: string) => new VehiError('usage', 'INVALID_OPTION', message, { hint });

/** What was said for a part, by flag or environment. */
function said(part: Part, flags: SharedFlags, { env }: CliContext): string | undefined {
  const value = flags[part] ?? env[ENV[part]];
  return value === '' ? undefined : value;
}

/**
 * The addresses of all parts, or undefined where the service has a data directory of its own.
 * @throws VehiError usage/INVALID_OPTION naming what is missing, or what does not go with them.
 */
export function sharedAddresses(flags: SharedFlags, ctx: CliContext): SharedAddresses | undefined {
  const parts = Object.keys(ENV) as Part[];
  const missing = parts.filter((part) => said(part, flags, ctx) === undefined);
  if (missing.length === parts.length) return undefined;
  refuseOwnData(flags);
  const [first] = missing;
  if (first !== undefined) {
    throw wrong(
      `--database, --redis and --objects belong together; ${missing.map((part) => `--${part}`).join(' and ')} is missing.`,
      `For example --${first} ${EXAMPLES[first]} (or ${ENV[first]}).`,
    );
  }
  const password = ctx.env.VEHI_REDIS_PASSWORD;
  return {
    database: checkedDatabase(said('database', flags, ctx) as string),
    redis: said('redis', flags, ctx) as string,
    ...(password === undefined || password === '' ? {} : { redisPassword: password }),
    objects: said('objects', flags, ctx) as string,
  };
}

function refuseOwnData({ data, ephemeral }: SharedFlags): void {
  if (data === undefined && !ephemeral) return;
  throw wrong(
    `${ephemeral ? '--ephemeral' : '--data'} keeps everything in one process; --database and the others share it.`,
    'Choose one of them (VEHI_DATABASE, VEHI_REDIS and VEHI_OBJECTS count too).',
  );
}

function checkedDatabase(url: string): string {
  if (/^postgres(ql)?:\/\//.test(url)) return url;
  throw wrong('--database is no postgres:// address.', `For example ${EXAMPLES.database}`);
}

/** The database that a command for operators is for, or undefined where it is for a data directory. */
export function databaseOf(flags: SharedFlags, ctx: CliContext): string | undefined {
  const url = said('database', flags, ctx);
  if (url === undefined) return undefined;
  refuseOwnData(flags);
  return checkedDatabase(url);
}

/** The folder that `file:///…` names. @throws VehiError usage/INVALID_OPTION */
export async function openObjects(url: string): Promise<BlobStore> {
  const path = URL.canParse(url) && new URL(url).protocol === 'file:' ? fileURLToPath(url) : '';
  if (!isAbsolute(path)) {
    throw wrong(
      `--objects is "${url}"; the file: address of a folder that all machines share is needed.`,
      `For example ${EXAMPLES.objects}`,
    );
  }
  const { makeFilesFolder } = await import('../../storage/blobs.ts');
  return makeFilesFolder(path);
}

/** Files that a command does not touch. */
async function noObjects(): Promise<BlobStore> {
  const { memoryBlobs } = await import('../../storage/blobs.ts');
  return memoryBlobs();
}

/** The store of a database and its files; without `objects` for what touches no file. */
export async function openSharedStore(
  { database, objects }: { database: string; objects?: string },
  connections: number,
): Promise<Store> {
  const files = objects === undefined ? await noObjects() : await openObjects(objects);
  const { openPostgresStore } = await import('../../storage/postgres/store.ts');
  return openPostgresStore({ url: database, connections, objects: files });
}

/** Warns of a password that everybody on the machine can read. */
export async function warnOfPassword(flags: SharedFlags, ctx: CliContext): Promise<void> {
  const given = [flags.database, flags.redis].some(
    (url) => url !== undefined && /:\/\/[^/@]*:[^/@]+@/.test(url),
  );
  if (!given) return;
  await write(
    ctx.stderr,
    'vehi: a password in an address can be read in the list of processes. Use PGPASSWORD or ~/.pgpass, and VEHI_REDIS_PASSWORD.\n',
  );
}

/** The address of files for a command that touches them. @throws VehiError usage/INVALID_OPTION where it is missing */
export function objectsOf(flags: SharedFlags, ctx: CliContext): string {
  const url = said('objects', flags, ctx);
  if (url !== undefined) return url;
  throw wrong(
    '--objects is missing: files are removed with their inspections.',
    `For example --objects ${EXAMPLES.objects}`,
  );
}
