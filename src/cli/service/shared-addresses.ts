import type { Flags } from '../../config/options.ts';
import { parseS3Url, readS3Keys, type S3Keys } from '../../storage/objects/s3-address.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeStatus } from '../terminal/output.ts';
import { makeOptionError } from '../terminal/usage-errors.ts';

/** Parsed flags of the shared resources. */
export type SharedFlags = Flags<'data' | 'ephemeral' | 'database' | 'objects'>;

/** Addresses of the shared resources of a service on several machines. */
export interface SharedAddresses {
  readonly database: string;
  readonly objects: string;
  /** Set exactly for s3: addresses. */
  readonly objectKeys?: S3Keys;
}

/** Address of the object storage with its credentials. */
export type ObjectsAddress = Pick<SharedAddresses, 'objects' | 'objectKeys'>;

/** Environment variable and sample address of each shared resource. */
const RESOURCES = {
  database: { variable: 'VEHI_DATABASE', example: 'postgres://vehi@db.example.com/vehi' },
  objects: { variable: 'VEHI_OBJECTS', example: 'file:///srv/vehi-files' },
} as const;
type Resource = keyof typeof RESOURCES;

/** Returns the address of a resource from flag or environment. */
function readAddress(resource: Resource, flags: SharedFlags, { env }: CliContext): string | undefined {
  const value = flags[resource] ?? env[RESOURCES[resource].variable];
  return value === '' ? undefined : value;
}

/**
 * Returns the addresses of all shared resources; undefined if the service has its own data directory.
 * @throws VehiError usage/INVALID_OPTION naming a missing address or a conflicting flag
 */
export function readSharedAddresses(flags: SharedFlags, ctx: CliContext): SharedAddresses | undefined {
  const resources = Object.keys(RESOURCES) as Resource[];
  const missing = resources.filter((resource) => readAddress(resource, flags, ctx) === undefined);
  if (missing.length === resources.length) return undefined;
  rejectOwnData(flags);
  const [first] = missing;
  if (first !== undefined) {
    throw makeOptionError(
      `--database and --objects belong together; --${first} is missing.`,
      `For example --${first} ${RESOURCES[first].example} (or ${RESOURCES[first].variable}).`,
    );
  }
  return {
    database: checkDatabase(readAddress('database', flags, ctx) as string),
    ...addCredentials(readAddress('objects', flags, ctx) as string, ctx),
  };
}

/** Returns true for the address of a bucket. */
const isS3 = (url: string) => /^s3:/i.test(url);

/** Adds the credentials to an object storage address, without network access. @throws VehiError of kind usage */
function addCredentials(objects: string, { env }: CliContext): ObjectsAddress {
  if (!isS3(objects)) return { objects };
  parseS3Url(objects);
  return { objects, objectKeys: readS3Keys(env) };
}

function rejectOwnData({ data, ephemeral }: SharedFlags): void {
  if (data === undefined && !ephemeral) return;
  throw makeOptionError(
    `${ephemeral ? '--ephemeral' : '--data'} keeps everything in one process; --database and --objects share it.`,
    'Choose one of them (VEHI_DATABASE and VEHI_OBJECTS count too).',
  );
}

function checkDatabase(url: string): string {
  if (/^postgres(ql)?:\/\//.test(url)) return url;
  throw makeOptionError(
    '--database is not a postgres:// address.',
    `For example ${RESOURCES.database.example}`,
  );
}

/** Returns the database of an operator command; undefined if it uses a data directory. */
export function readDatabaseAddress(flags: SharedFlags, ctx: CliContext): string | undefined {
  const url = readAddress('database', flags, ctx);
  if (url === undefined) return undefined;
  rejectOwnData(flags);
  return checkDatabase(url);
}

/** Warns about a password visible to all users of the machine. */
export async function warnOfPassword(flags: SharedFlags, ctx: CliContext): Promise<void> {
  if (flags.database === undefined || !/:\/\/[^/@]*:[^/@]+@|[?&]password=./.test(flags.database)) return;
  await writeStatus(
    ctx,
    'vehi: a password in an address can be read in the list of processes. Use PGPASSWORD or ~/.pgpass.',
  );
}

/**
 * Returns the object storage address for a command that reads or writes files.
 * @throws VehiError usage/INVALID_OPTION if it is missing
 */
export function readObjectsAddress(flags: SharedFlags, ctx: CliContext): ObjectsAddress {
  const url = readAddress('objects', flags, ctx);
  if (url !== undefined) return addCredentials(url, ctx);
  throw makeOptionError(
    '--objects is missing: inspections have files.',
    `For example --objects ${RESOURCES.objects.example}`,
  );
}
